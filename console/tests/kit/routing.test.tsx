import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { readAll, useAct, useApi, useGo } from "../../src/kit";
import { show } from "../support/page";

/** A page that opens another one once its action is done. */
function Saving() {
  const api = useApi();
  const go = useGo();
  const save = useAct(
    () => readAll(api.GET("/v1/tenant")),
    () => {
      go("/saved");
    },
  );
  return <button onClick={save.act}>Save</button>;
}

/** Begins the page's action; the function that is returned lets it end. */
async function saving(): Promise<() => void> {
  let end: (answer: object) => void = () => undefined;
  const answer = new Promise((resolve) => {
    end = resolve;
  });
  const { asked } = show(<Saving />, { "GET /v1/tenant": () => answer }, { path: "/edit" });
  await userEvent.click(screen.getByText("Save"));
  await waitFor(() => {
    expect(asked.length).toBe(1);
  });
  return () => {
    end({});
  };
}

function leave(): void {
  history.pushState(null, "", "/elsewhere");
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

describe("useGo", () => {
  it("opens the page that follows an action", async () => {
    const end = await saving();
    end();

    await waitFor(() => {
      expect(location.pathname).toBe("/saved");
    });
  });

  it("leaves a person where she went while the action ran", async () => {
    const end = await saving();
    act(leave);
    await screen.findByText("another page");
    await act(async () => {
      end();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });

    expect(location.pathname).toBe("/elsewhere");
  });
});
