import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { useAct } from "../../../src/kit";
import { useEach } from "../../../src/pages/shared/useEach";
import { useListing } from "../../../src/pages/shared/listing/useListing";
import { show } from "../../support/page";

interface Item {
  id: number;
}

/** A list of pages of one item each, with an action on one and on many. */
function List({ onRead }: { onRead: (page: number) => void }) {
  const listing = useListing<Item>(["items"], (cursor) => {
    const page = Number(cursor ?? 0);
    onRead(page);
    return Promise.resolve({ items: [{ id: page }], next_cursor: String(page + 1) });
  });
  const one = useAct(() => Promise.resolve({}), () => undefined);
  const each = useEach<Item>(({ id }) => String(id), () => Promise.resolve({}));
  return (
    <>
      <p>{listing.items.length} shown</p>
      <button onClick={() => listing.readMore?.()}>More</button>
      <button onClick={one.act}>One</button>
      <button onClick={() => { each.begin(listing.items.slice(0, 1)); }}>Each</button>
      <button onClick={listing.refetch}>Again</button>
    </>
  );
}

/** Shows so many pages, presses a button, and returns which pages are read for it. */
async function pagesReadFor(pages: number, button: string): Promise<number[]> {
  const read: number[] = [];
  const { queries } = show(<List onRead={(page) => { read.push(page); }} />, {});
  await screen.findByText("1 shown");
  for (let count = 1; count < pages; count += 1) {
    await userEvent.click(screen.getByText("More"));
    await screen.findByText(`${count + 1} shown`);
  }
  read.length = 0;
  await userEvent.click(screen.getByText(button));
  const most = Math.min(pages, 5);
  await screen.findByText(`${most} shown`);
  await waitFor(() => {
    expect(read.length).toBeGreaterThanOrEqual(most);
    expect(queries.isFetching()).toBe(0);
  });
  return read;
}

it.each(["One", "Each", "Again"])("reads five pages of a longer list anew, and no more: %s", async (button) => {
  expect(await pagesReadFor(7, button)).toEqual([0, 1, 2, 3, 4]);
});

it.each(["One", "Each", "Again"])("keeps a list of five pages whole: %s", async (button) => {
  expect(await pagesReadFor(5, button)).toEqual([0, 1, 2, 3, 4]);
});

it("reads on where the list was cut", async () => {
  await pagesReadFor(7, "One");
  await userEvent.click(screen.getByText("More"));

  expect(await screen.findByText("6 shown")).toBeTruthy();
});
