import { expect, it, vi } from "vitest";

import { actionsOf } from "../../src/app/actions";

function page(html: string): HTMLElement {
  const shown = document.createElement("div");
  shown.insertAdjacentHTML("beforeend", html);
  return shown;
}

it("offers the buttons of the page, in their order, and presses them", () => {
  const shown = page(`<nav><button>Toggle</button></nav><main><button>Trigger</button><button aria-label="Read again"></button></main>`);
  const pressed = vi.fn();
  shown.querySelector("main button")?.addEventListener("click", pressed);
  const actions = actionsOf(shown);
  actions[0]?.run();

  expect(actions.map(({ label }) => label)).toEqual(["> Trigger", "> Read again"]);
  expect(pressed).toHaveBeenCalledTimes(1);
});

it("offers nothing that is disabled, of a row, or without words", () => {
  const shown = page(
    `<main><button disabled>Pause</button><button aria-disabled="true">Resume</button><button> </button>` +
      `<table><tr><td><button>Redrive</button></td></tr></table></main>`,
  );

  expect(actionsOf(shown)).toEqual([]);
});

it("offers the first of several buttons with the same words", () => {
  const shown = page(`<main><button id="one">Copy</button><button id="two">Copy</button></main>`);
  const pressed = vi.fn();
  shown.querySelector("#one")?.addEventListener("click", pressed);
  const [only, ...more] = actionsOf(shown);
  only?.run();

  expect([more.length, pressed.mock.calls.length]).toEqual([0, 1]);
});
