import BreadcrumbGroup from "@cloudscape-design/components/breadcrumb-group";
import ContentLayout from "@cloudscape-design/components/content-layout";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";

import { announce } from "./announcing";
import { isolated } from "./words/isolated";

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
    document.title = `${isolated(title)} · Timegate`;
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
