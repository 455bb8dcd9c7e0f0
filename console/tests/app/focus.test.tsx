import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";

import { Place } from "../../src/app/Place";

function shown(page: ReactNode) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={["/jobs"]}>
        <Place>{page}</Place>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Rows whose buttons take them out, at once or after a question. */
function Rows({ isAsked }: { isAsked: boolean }) {
  const [rows, setRows] = useState(["one", "two", "three"]);
  const [asked, setAsked] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  const takeOut = (row: string): void => {
    setRows(rows.filter((each) => each !== row));
  };
  return (
    <section>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            {row} <button onClick={() => { if (isAsked) setAsked(row); else takeOut(row); }}>Take out {row}</button>
          </li>
        ))}
      </ul>
      <button disabled={isGone}>Add</button>
      <p>Words</p>
      {asked !== null &&
        createPortal(
          <div role="dialog">
            <button onClick={() => { takeOut(asked); setGone(true); }}>Do it</button>
            <button onClick={() => { setAsked(null); }}>Close</button>
          </div>,
          document.body,
        )}
    </section>
  );
}

const button = (name: string): HTMLElement => screen.getByRole("button", { name });

function press(name: string): void {
  button(name).focus();
  fireEvent.click(button(name));
}

const expectFocus = async (name: string): Promise<void> => {
  await waitFor(() => {
    expect(document.activeElement?.textContent).toBe(name);
  });
};

test("the row behind one that vanishes has the focus, and the button behind the last", async () => {
  shown(<Rows isAsked={false} />);
  press("Take out two");
  await expectFocus("Take out three");
  press("Take out three");
  await expectFocus("Take out one");
  press("Take out one");
  await expectFocus("Add");
});

test("a question whose row is gone gives the focus to the row behind it", async () => {
  shown(<Rows isAsked />);
  press("Take out one");
  press("Do it");
  press("Close");

  await expectFocus("Take out two");
});

test("a page without anything to focus has it as a whole", async () => {
  const { container } = shown(<Rows isAsked />);
  for (const row of ["one", "two", "three"]) {
    press(`Take out ${row}`);
    press("Do it");
    press("Close");
  }

  await waitFor(() => {
    expect(document.activeElement).toBe(container.firstElementChild);
  });
});

test("a person who has pressed beside everything is left there", async () => {
  shown(<Rows isAsked={false} />);
  button("Take out two").focus();
  fireEvent.pointerDown(screen.getByText("Words"));
  button("Take out two").blur();
  fireEvent.click(button("Take out two"));
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(document.activeElement).toBe(document.body);
});
