import BreadcrumbGroup from "@cloudscape-design/components/breadcrumb-group";
import ContentLayout from "@cloudscape-design/components/content-layout";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";

import { announce } from "./announcing";
import { RefusalsContext } from "./problems/refusals";
import { isolated } from "./words/isolated";

interface Props {
  title: string;
  crumbs: { text: string; href: string }[];
  children: ReactNode;
  /** Shows the title as the page's heading; pages with a heading of their own leave it out, and have it while a refusal stands there. */
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
  const [refusals, setRefusals] = useState(0);
  const [lacksHeading, setLacksHeading] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  // Content that is refused draws no heading; another part of the page may have drawn one.
  useLayoutEffect(() => {
    setLacksHeading(refusals > 0 && content.current?.querySelector("h1") === null);
  }, [refusals, children]);
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
        heading === true || lacksHeading ? (
          <Header variant="h1" description={description} actions={actions}>
            {title}
          </Header>
        ) : undefined
      }
    >
      <div ref={content}>
        <RefusalsContext value={setRefusals}>
          <SpaceBetween size="l">{children}</SpaceBetween>
        </RefusalsContext>
      </div>
    </ContentLayout>
  );
}
