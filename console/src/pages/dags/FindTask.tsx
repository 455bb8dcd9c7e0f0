import Select from "@cloudscape-design/components/select";
import { memo } from "react";

import { stateWords } from "../shared/stateWords";
import type { Picture } from "./picture";

interface FindProps {
  picture: Picture;
  onSelect: (key: string) => void;
}

/** Finds a task of a large graph by its name, key or state. */
export const FindTask = memo(function FindTask({ picture, onSelect }: FindProps) {
  return (
    <div className="tg-narrow tg-find">
      <Select
        ariaLabel="Find a task"
        placeholder="Find a task"
        filteringType="auto"
        filteringPlaceholder="Name, key or state"
        virtualScroll
        selectedOption={null}
        options={picture.nodes.map(({ key, title, state }) => ({
          value: key,
          label: title,
          description: state === null ? key : `${key}, ${stateWords(state)}`,
        }))}
        onChange={({ detail }) => {
          if (detail.selectedOption.value !== undefined) {
            onSelect(detail.selectedOption.value);
          }
        }}
      />
    </div>
  );
});
