import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { labelOf, type Node, shapeOf } from "./contract";
import type { Draft } from "./draft";
import { SchemaField } from "./fields/SchemaField";
import { Folded } from "./Folded";
import { countSet, type Group } from "./groups";

/** Shows a group of fields; the header of a folded one counts what is set in it. */
export function GroupFields({ contract, group, draft }: { contract: Node; group: Group; draft: Draft }) {
  const fields = (
    <SpaceBetween size="l">
      {group.names.map((name) => (
        <TopField key={name} name={name} contract={contract} />
      ))}
    </SpaceBetween>
  );
  if (!group.isFolded) {
    return <Container header={<Header variant="h2">{group.title}</Header>}>{fields}</Container>;
  }
  const count = countSet(group, draft);
  return (
    <Folded
      isContainer
      name={`group ${group.title}`}
      title={group.title}
      description={count === 0 ? "All as by default." : `${count} set.`}
      isOpenAtFirst={count > 0}
    >
      {fields}
    </Folded>
  );
}

function TopField({ name, contract }: { name: string; contract: Node }) {
  const node = contract.properties?.[name];
  const isRequired = contract.required?.includes(name) === true;
  if (node === undefined) return null;
  const field = (
    <SchemaField name={name} node={node} path={[name]} isRequired={isRequired} />
  );
  const isPlainObject = shapeOf(node).kind === "object" && node.anyOf === undefined;
  if (!isPlainObject) return field;
  return (
    <Folded name={name} title={labelOf(name)} isOpenAtFirst={isRequired}>
      {field}
    </Folded>
  );
}
