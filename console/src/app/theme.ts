import { applyMode, Mode } from "@cloudscape-design/global-styles";

const DARK = "(prefers-color-scheme: dark)";

/** Shows the mode that the system asks for, and follows its changes. */
export function followTheme(): void {
  const system = matchMedia(DARK);
  show(system.matches);
  system.addEventListener("change", ({ matches }) => {
    show(matches);
  });
}

/** Turns dark into light and light into dark, for this visit. */
export function turnTheme(): void {
  show(!document.body.classList.contains("awsui-dark-mode"));
}

function show(dark: boolean): void {
  applyMode(dark ? Mode.Dark : Mode.Light);
}
