// What the user asks of the liquid solver.
#pragma once

#include "base/table.h"

namespace knead {

// unilateral: liquid resists compression only and may separate; incompressible: it keeps its divergence zero, the usual
// FLIP, for comparison.
enum class Pressure { unilateral, incompressible };
// How the pressures are found: Newton multigrid, or MPRGP with incomplete Cholesky, for reference.
enum class PressureSolver { multigrid, mprgp };
enum class LiquidTransfer { flip, apic };
// How the density at the end of a step is foreseen: from the mass that crosses faces, but no more than the flow
// converges, so that liquid in free flight is left alone; from that mass alone, as published; or from where the
// particles would be.
enum class Foresight { bounded, faces, particles };
// What a face counts for in the matrix of the pressure: its open share, as published; the density of its liquid; or all
// alike, with the open shares on the right-hand side (Gerszewski 2014, section 3.1). The others are for comparison.
enum class PressureMatrix { open, density, plain };

std::span<const char* const> enum_names(Pressure);
std::span<const char* const> enum_names(PressureSolver);
std::span<const char* const> enum_names(LiquidTransfer);
std::span<const char* const> enum_names(Foresight);
std::span<const char* const> enum_names(PressureMatrix);

// What the expressions of a given flow may use.
const std::vector<std::string>& flow_variables();

// Parameters of solver.method = "liquid" (Gerszewski 2014, chapter 3).
struct LiquidSpec {
  Pressure pressure = Pressure::unilateral;
  PressureSolver solver = PressureSolver::multigrid;
  double tolerance = 1e-4;  // of the predicted density over the rest density
  int iterations = 500;
  LiquidTransfer transfer = LiquidTransfer::flip;
  double flip = 0.95;  // share of FLIP that is left after 1/60 s
  double cfl = 1;      // cells that liquid may cross in a step
  Foresight foresight = Foresight::bounded;
  PressureMatrix matrix = PressureMatrix::open;
  bool density_correction = true;  // whether particles are moved apart where they crowd
  double suction = 0;              // Pa, that liquid away from its surface may pull with
  int relaxation = 20;             // passes of the density correction before the start, at most
  Formula flow;                    // m/s, of flow_variables(): carries the particles, instead of one that is solved for
  bool is_given() const { return !flow.is_zero(); }
  static const Table& table();
};

}  // namespace knead
