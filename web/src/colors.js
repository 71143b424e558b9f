// Which colours a page can tell from its ground.
import * as THREE from "three";

// Contrast, as (L + 0.05) of the lighter to that of the darker, after WCAG 2. Spheres are shaded, so that on a dark ground more is needed.
const least = { dark: 2.2, light: 1.5 };

const luminance = (color) => {
  const { r, g, b } = new THREE.Color(color); // linear
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

// The part of a colour map, stretched to all of it, whose ends can be seen on a ground.
export function readable(colors, ground) {
  const wanted = luminance(ground) < 0.2 ? least.dark : least.light;
  const seen = colors.map((color) => contrast(color, ground) >= wanted);
  const [first, last] = [seen.indexOf(true), seen.lastIndexOf(true)];
  if (first < 0 || first === last) return colors;
  return colors.map((_, i) => {
    const at = first + (i / (colors.length - 1)) * (last - first);
    const k = Math.min(Math.floor(at), last - 1);
    return `#${new THREE.Color(colors[k]).lerp(new THREE.Color(colors[k + 1]), at - k).getHexString()}`;
  });
}
