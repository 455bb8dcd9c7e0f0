import AppLayout from "@cloudscape-design/components/app-layout";
import Box from "@cloudscape-design/components/box";
import SideNavigation from "@cloudscape-design/components/side-navigation";
import TopNavigation from "@cloudscape-design/components/top-navigation";
import { type ComponentType, Suspense, useMemo, useRef } from "react";
import { matchPath, Route, Routes, useLocation } from "react-router";

import { Page, RouteLink, Skeleton, useGo, usePerson } from "../kit";
import { MARK } from "./actions";
import { Announcer } from "./Announcer";
import { Boundary } from "./Boundary";
import { LISTED, PAGES } from "./pages";
import { Palette, type PaletteHandle } from "./Palette";
import { Place } from "./Place";
import { turnTheme } from "./theme";

const SECTIONS = ["Work", "Operate", "Stage"] as const;

interface Props {
  stage: string;
  onSignOut: () => void;
}

/** Shows the page of the address between the top bar and the navigation. */
export function Shell({ stage, onSignOut }: Props) {
  const palette = useRef<PaletteHandle>(null);
  const actions = useMemo(
    () => [
      { label: `${MARK}Dark or light`, run: turnTheme },
      { label: `${MARK}Sign out`, run: onSignOut },
    ],
    [onSignOut],
  );
  return (
    <>
      <div id="top">
        <TopBar
          stage={stage}
          onSignOut={onSignOut}
          onSearch={() => {
            palette.current?.open();
          }}
        />
      </div>
      <AppLayout
        headerSelector="#top"
        navigation={<Navigation />}
        toolsHide
        ariaLabels={{
          navigation: "Pages",
          navigationToggle: "Open the list of pages",
          navigationClose: "Close the list of pages",
        }}
        content={<Content />}
      />
      <Palette ref={palette} actions={actions} />
      <Announcer />
    </>
  );
}

function TopBar({ stage, onSignOut, onSearch }: Props & { onSearch: () => void }) {
  const { caller, roles } = usePerson();
  const go = useGo();
  return (
    <TopNavigation
      identity={{
        href: "/",
        title: `Timegate · ${stage}`,
        onFollow: (event) => {
          event.preventDefault();
          go("/");
        },
      }}
      utilities={[
        { type: "button", text: "Search (Ctrl+K)", iconName: "search", onClick: onSearch },
        { type: "button", text: "Dark or light", iconName: "view-full", onClick: turnTheme },
        {
          type: "menu-dropdown",
          text: caller,
          description: roles.join(", "),
          iconName: "user-profile",
          items: [{ id: "sign-out", text: "Sign out" }],
          onItemClick: onSignOut,
        },
      ]}
      i18nStrings={{ overflowMenuTriggerText: "More", overflowMenuTitleText: "All" }}
    />
  );
}

function Navigation() {
  const go = useGo();
  const { pathname } = useLocation();
  const place = PAGES.find(({ path, under }) => under !== undefined && matchPath(path, pathname) !== null)?.under ?? pathname;
  const active = LISTED.filter(({ path }) => path === place || (path !== "/" && place.startsWith(path)));
  return (
    <SideNavigation
      activeHref={active.at(-1)?.path ?? ""}
      onFollow={(event) => {
        event.preventDefault();
        go(event.detail.href);
      }}
      items={SECTIONS.map((section) => ({
        type: "section-group" as const,
        title: section,
        items: LISTED.filter((page) => page.section === section).map(({ path, title }) => ({
          type: "link" as const,
          text: title,
          href: path,
        })),
      })).filter(({ items }) => items.length > 0)}
    />
  );
}

function Content() {
  return (
    <Suspense fallback={<Skeleton what="the page" />}>
      <Place>
        <Routes>
          {PAGES.map(({ path, Page: Shown }) => (
            <Route key={path} path={path} element={<Own Shown={Shown} />} />
          ))}
          <Route path="*" element={<Nowhere />} />
        </Routes>
      </Place>
    </Suspense>
  );
}

/** Gives each address a page of its own: nothing that was chosen, asked or typed at one is kept for another. */
function Own({ Shown }: { Shown: ComponentType }) {
  const { pathname } = useLocation();
  return (
    <Boundary key={pathname}>
      <Shown />
    </Boundary>
  );
}

function Nowhere() {
  return (
    <Page title="There is no such page" crumbs={[]} heading>
      <Box>
        The address names no page of the console. <RouteLink to="/">Open the overview</RouteLink>.
      </Box>
    </Page>
  );
}
