import ExpandableSection from "@cloudscape-design/components/expandable-section";
import { type ReactNode, useState } from "react";

interface Props {
  title: string;
  description?: string;
  isContainer?: boolean;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Folds fields away; they are made when they are opened, so that typing elsewhere stays quick. */
export function Folded({ title, description, isContainer, isOpenAtFirst, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst ?? false);
  return (
    <ExpandableSection
      variant={isContainer === true ? "container" : "default"}
      headerText={title}
      {...(description === undefined ? {} : { headerDescription: description })}
      expanded={isOpen}
      onChange={({ detail }) => {
        setOpen(detail.expanded);
      }}
    >
      {isOpen && children}
    </ExpandableSection>
  );
}
