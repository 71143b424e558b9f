"""How high bars of yield-flow matter stand after they were dropped: numbers that scenes/meshless/plastic_study.toml and cylinders.toml quote.

A bar of slices, one dimension: Hooke's law in the stretch, section growing as the bar gets shorter at constant volume, the law's flow rule
(docs/materials.md, yield flow), weight, and a floor. Prints the height at the end over that at the start.
"""

import numpy


def height(young, yield_stress, flow_rate, drop, time, weight_alone=False, density=1000.0, g=9.81, slices=40):
    size, speed = 1 / slices, (young / density) ** 0.5
    y = drop + numpy.arange(slices + 1) * size
    v, plastic = numpy.zeros(slices + 1), numpy.ones(slices)
    mass = numpy.full(slices + 1, density * size)
    mass[[0, -1]] /= 2
    dt = 0.2 * size / speed
    if weight_alone:  # in equilibrium, without waves
        weight = density * g * (numpy.arange(slices)[::-1] + 0.5) * size
        for _ in range(int(time / dt)):
            stress = weight * plastic
            plastic *= numpy.exp(-dt * flow_rate * numpy.maximum(stress - yield_stress, 0) / young)
        return float((plastic * (1 - weight * plastic / young)).mean())
    for _ in range(int(time / dt)):
        elastic = numpy.diff(y) / size / plastic
        stress = young * (elastic - 1)
        pull = stress / plastic + 0.02 * young / speed * numpy.diff(v)
        force = -mass * g
        force[:-1] += pull
        force[1:] -= pull
        force[0] += 2 * young / size * max(-y[0], 0)
        v += dt * force / mass
        y += dt * v
        size_of_stress = abs(stress)
        rate = numpy.clip(dt * flow_rate * numpy.maximum(size_of_stress - yield_stress, 0) / numpy.maximum(size_of_stress, 1), 0, 1)
        plastic *= elastic**rate
    return float(y[-1] - y[0])


if __name__ == "__main__":
    for strength in (500, 2000, 8000):
        print("plastic_study", strength, [round(height(200e3, strength, rate, 0.15, 2), 3) for rate in (5, 50)])
    for strength, rate in ((5000, 10), (500, 50)):
        print("cylinders", strength, round(height(300e3, strength, rate, 0.4, 3), 3), round(height(300e3, strength, rate, 0.4, 2.7, True), 3))
