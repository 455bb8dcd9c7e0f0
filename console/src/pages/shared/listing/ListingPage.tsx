import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";
import type { ReactNode } from "react";

import { Page, ProblemAlert, SameByCommand } from "../../../kit";
import { ListedTable } from "./ListedTable";
import type { Listing } from "./useListing";

interface Props<Item> {
  title: string;
  /** Path of the page. */
  path: string;
  description: string;
  /** Plural of what is listed: "failed runs". */
  what: string;
  listing: Listing<Item>;
  columns: TableProps.ColumnDefinition<Item>[];
  trackBy?: string;
  /** Buttons beside the title; without them, one that reads again. */
  actions?: ReactNode;
  filter?: ReactNode;
  empty: ReactNode;
  /** Said beneath the title. */
  notice?: ReactNode;
  /** Rows can be chosen: those that are, and who is told of others. */
  selected?: readonly Item[];
  onSelect?: (items: Item[]) => void;
  /** Names a row for readers of a screen. */
  nameOf?: (item: Item) => string;
  cli: string;
  api: string;
}

/** Shows a listing of the API as a page: a table that reads on, and the command that does the same. */
export function ListingPage<Item>(props: Props<Item>) {
  const { title, path, description, what, listing, columns, trackBy, filter, empty } = props;
  const again = <Button iconName="refresh" ariaLabel="Read again" onClick={listing.refetch} />;
  return (
    <Page title={title} crumbs={[{ text: title, href: path }]}>
      <SpaceBetween size="l">
        {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
        <ListedTable
          variant="full-page"
          wrapLines
          {...selectionOf(props)}
          {...(trackBy === undefined ? {} : { trackBy })}
          listing={listing}
          what={what}
          columnDefinitions={columns}
          ariaLabels={{
            tableLabel: title,
            selectionGroupLabel: `Choose ${what}`,
            allItemsSelectionLabel: () => "Choose all that are shown",
            itemSelectionLabel: (_, item) => `Choose ${props.nameOf?.(item) ?? "this one"}`,
          }}
          header={
            <SpaceBetween size="s">
              <Header variant="h1" description={description} actions={props.actions ?? again}>
                {title}
              </Header>
              {props.notice}
            </SpaceBetween>
          }
          filter={filter}
          empty={empty}
        />
        <SameByCommand cli={props.cli} api={props.api} />
      </SpaceBetween>
    </Page>
  );
}

function selectionOf<Item>({ selected, onSelect }: Props<Item>): Partial<TableProps<Item>> {
  if (selected === undefined || onSelect === undefined) return {};
  return {
    selectionType: "multi",
    selectedItems: selected,
    onSelectionChange: ({ detail }) => {
      onSelect(detail.selectedItems);
    },
  };
}
