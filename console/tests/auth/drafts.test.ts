import { expect, test } from "vitest";

import { follow, holdDraft, isUnsaved } from "../../src/auth/drafts";

test("has nothing to lose from an action's end until something is typed again", () => {
  const typed = holdDraft("acme new job", { name: "a" });
  const before = isUnsaved();
  follow(() => undefined);
  const after = isUnsaved();
  const again = holdDraft("acme new job", { name: "b" });

  expect([before, after, isUnsaved()]).toEqual([true, false, true]);
  typed();
  again();
});
