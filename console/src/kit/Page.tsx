import BreadcrumbGroup from "@cloudscape-design/components/breadcrumb-group";
import ContentLayout from "@cloudscape-design/components/content-layout";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";

import { announce } from "./announcing";

/** Signs that turn a text round, or end such a turn (UAX 9). */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

interface Props {
  title: string;
  crumbs: { text: string; href: string }[];
  children: ReactNode;
  /** Shows the title as the page's heading; pages with a heading of their own leave it out. */
  heading?: boolean;
  description?: ReactNode;
  actions?: ReactNode;
}

/** Frames a page: its place in the console, its title in the browser, its content. */
export function Page({ title, crumbs, children, heading, description, actions }: Props) {
  const go = useNavigate();
  useEffect(() => {
    // A title has no markup: its name must not turn the words round that follow.
    document.title = `${title.replaceAll(TURNS, "")} · Timegate`;
    announce(title);
  }, [title]);
  return (
    <ContentLayout
      breadcrumbs={
        <BreadcrumbGroup
          ariaLabel="Place in the console"
          expandAriaLabel="Show the places between"
          items={crumbs}
          onFollow={(event) => {
            event.preventDefault();
            void go(event.detail.href);
          }}
        />
      }
      header={
        heading === true ? (
          <Header variant="h1" description={description} actions={actions}>
            {title}
          </Header>
        ) : undefined
      }
    >
      <SpaceBetween size="l">{children}</SpaceBetween>
    </ContentLayout>
  );
}
