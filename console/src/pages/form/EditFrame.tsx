import type { ReactNode } from "react";

import { isolated, Live, Page, useLive } from "../../kit";

interface Props<Known> {
  /** The listing that it belongs to. */
  list: { text: string; href: string };
  /** Words of one: "rule". */
  what: string;
  /** Its name or id in the address; empty: it is made anew. */
  name: string;
  read: () => Promise<Known>;
  /** The name that people gave it, where the address has an id. */
  titleOf?: (known: Known) => string;
  /** The form of a known one, or of one that has yet to be made; `again` reads the known one again. */
  form: (known: Known | null, again: () => void) => ReactNode;
}

/** Frames a page that creates a thing, or edits the one that the address names. */
export function EditFrame<Known>(props: Props<Known>) {
  return props.name === "" ? <Creating {...props} /> : <Editing {...props} />;
}

function Creating<Known>({ list, what, form }: Props<Known>) {
  const title = `Create a ${what}`;
  const crumbs = [list, { text: title, href: `${list.href}/+new` }];
  return (
    <Page title={title} crumbs={crumbs} heading description="Nothing is stored until you create it.">
      {form(null, () => undefined)}
    </Page>
  );
}

function Editing<Known>({ list, what, name, read, titleOf, form }: Props<Known>) {
  // A form keeps what a person writes: it is read once.
  const live = useLive({ key: [`${what}-to-edit`, name], read, everyMs: () => null, isFresh: true });
  const title = live.data === undefined ? name : (titleOf?.(live.data) ?? name);
  const crumbs = [
    list,
    { text: title, href: `${list.href}/${name}` },
    { text: "Edit", href: `${list.href}/${name}/edit` },
  ];
  return (
    <Page title={`Edit ${isolated(title)}`} crumbs={crumbs} heading>
      <Live live={live}>{(known) => form(known, live.refetch)}</Live>
    </Page>
  );
}
