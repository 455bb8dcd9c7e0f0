import { describe, expect, it } from "vitest";

import { FACES, withoutOtherFaces } from "../../scripts/faces.ts";

const face = (weight: number, style: string): string =>
  `@font-face {\n  font-family: 'Open Sans';\n  font-weight: ${weight};\n  font-style: ${style};\n  src: url('data:font/woff2;base64,${weight}${style}') format('woff2');\n}`;
const SHEET = [300, 400, 700, 800].flatMap((weight) => [face(weight, "normal"), face(weight, "italic")]).join("\n");

describe("faces of the font", () => {
  it("are those that the console writes in", () => {
    const kept = withoutOtherFaces(`body { margin: 0 }\n${SHEET}\np { margin: 1px }`);

    expect(kept.match(/font-weight: \d+;\s+font-style: \w+/g)).toHaveLength(FACES.length);
    expect(kept).toContain("400italic");
    expect(kept).not.toContain("800normal");
    expect(kept).toContain("body { margin: 0 }");
    expect(kept).toContain("p { margin: 1px }");
  });

  it("stop the build where the font has other faces than were known", () => {
    expect(() => withoutOtherFaces(face(400, "normal"))).toThrow("has only the faces 400 normal");
  });

  it("are no matter of a style sheet without any", () => {
    expect(withoutOtherFaces("p { margin: 1px }")).toBe("p { margin: 1px }");
  });
});
