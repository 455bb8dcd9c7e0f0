import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";

import { Place } from "../../src/app/Place";

function Shown({ answer }: { answer: Promise<string> }) {
  const { data } = useQuery({ queryKey: ["answer"], queryFn: () => answer });
  return <p>{data ?? "nothing yet"}</p>;
}

test("nothing is being read once the answer is shown, and not before", async () => {
  let reply: (answer: string) => void = () => undefined;
  const answer = new Promise<string>((resolve) => {
    reply = resolve;
  });
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={["/jobs"]}>
        <Place>
          <Shown answer={answer} />
        </Place>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const frame = container.firstElementChild as HTMLElement;
  const seen: string[] = [];
  new MutationObserver(() => {
    seen.push(`${String(frame.dataset.reading)}: ${frame.textContent}`);
  }).observe(frame, { attributes: true, attributeFilter: ["data-reading"] });

  expect(frame.dataset).toMatchObject({ place: "/jobs", reading: "1" });
  reply("the answer");
  await screen.findByText("the answer");
  expect(new Set(seen.filter((each) => each.startsWith("0")))).toEqual(new Set(["0: the answer"]));
});
