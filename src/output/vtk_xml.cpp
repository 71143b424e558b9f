#include "output/vtk_xml.h"

namespace knead {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}

}  // namespace

std::string array_line(const std::string& name, const char* type, int components, std::size_t bytes,
                       std::size_t& offset) {
  std::string line = fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
      type, escaped(name), components, offset);
  offset += sizeof(std::uint64_t) + bytes;
  return line;
}

void append_array(WholeFile& file, const void* data, std::size_t bytes) {
  const std::uint64_t size = bytes;
  file.write(&size, sizeof size);
  file.write(data, bytes);
}

void write_pvd(const std::filesystem::path& path, const std::vector<ExportedFile>& files) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const ExportedFile& f : files)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", f.time, f.name);
  write_whole(path, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace knead
