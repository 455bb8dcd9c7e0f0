import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";

import { newQueries } from "../../../src/kit/queries";
import SendEventPage from "../../../src/pages/events/SendEventPage";

/** Shows the page as the console does: it is drawn once the browser has time for it. */
function open(): void {
  history.replaceState(null, "", "/event-triggers/+send");
  const router = createBrowserRouter([{ path: "*", element: <SendEventPage /> }]);
  render(
    <QueryClientProvider client={newQueries(0)}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/** Types letters that a busy browser hands on together. */
function typeAtOnce(field: HTMLInputElement, text: string): void {
  for (const letter of text) {
    // React notes texts that are set on the field itself: these are the browser's.
    Reflect.set(HTMLInputElement.prototype, "value", field.value + letter, field);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

test("letters that are typed before the page is drawn are in the fields, in the address and in the event", async () => {
  open();
  const type = await screen.findByLabelText<HTMLInputElement>("Type");
  const key = screen.getByLabelText<HTMLInputElement>("Key");
  await act(() => {
    typeAtOnce(type, "order.paid");
    typeAtOnce(key, "42");
    return Promise.resolve();
  });
  await waitFor(() => {
    expect(location.search).toBe("?type=order.paid&key=42");
  });

  expect([type.value, key.value]).toEqual(["order.paid", "42"]);
  expect(document.body.textContent).toContain('"type": "order.paid"');
});

test("a field has what its address says, also after letters of its own", async () => {
  open();
  const type = await screen.findByLabelText<HTMLInputElement>("Type");
  await act(() => {
    typeAtOnce(type, "order.paid");
    return Promise.resolve();
  });
  await act(() => {
    history.pushState(null, "", "/event-triggers/+send?type=stock.low");
    dispatchEvent(new PopStateEvent("popstate"));
    return Promise.resolve();
  });

  await waitFor(() => {
    expect(type.value).toBe("stock.low");
  });
});
