import schemas from "../../api/contracts/rule.json";
import type { Schemas } from "../../kit";
import { contractOf } from "../form/contract";
import { type Draft, withoutDefaults } from "../form/draft";
import { type Group, groupsOf } from "../form/groups";

/** The contract of a notification rule. */
export const RULE = contractOf("RuleBody", schemas);

const NAMED: readonly Group[] = [
  { title: "When it tells", names: ["when"], isFolded: false },
  { title: "Whom it tells", names: ["channels"], isFolded: false },
  { title: "Of which jobs", names: ["jobs"], isFolded: true },
  { title: "Quiet hours", names: ["quiet_hours"], isFolded: true },
];

export const RULE_GROUPS = groupsOf(NAMED, RULE.properties ?? {});

/** A first rule: three failures in a row, and the success that ends them. */
export const FIRST_RULE: Draft = {
  when: { failures_in_a_row: 3, recovered: true },
  channels: [{ type: "webhook" }],
};

/** Returns a rule as its owner would write it. */
export function ruleBodyOf(rule: Schemas["NotificationRule"]): Draft {
  return withoutDefaults({ ...rule }, RULE);
}
