import type { Node } from "@xyflow/react";

import { stateWords } from "../shared/stateWords";
import { NODE_HEIGHT, NODE_WIDTH, type Picture, type PictureNode, type Places } from "./picture";

export type TaskNode = Node<{ task: PictureNode; note: string; isDown: boolean }, "task">;

type Make = (picture: Picture, notes: ReadonlyMap<string, string> | undefined) => TaskNode[];

/**
 * Returns a function that makes the nodes of a picture at these places. A task that looks as it did has its node of before:
 * React Flow draws one that is another object anew, and a poll of 500 tasks changes a few.
 */
export function nodeMaker(places: Places, isDown: boolean): Make {
  const made = new Map<string, TaskNode>();
  return (picture, notes) =>
    picture.nodes.map((task) => {
      const note = notes?.get(task.key) ?? "";
      const before = made.get(task.key);
      if (before?.data.note === note && looksAlike(before.data.task, task)) return before;
      const node = nodeOf(task, note, places, isDown);
      made.set(task.key, node);
      return node;
    });
}

const looksAlike = (one: PictureNode, other: PictureNode): boolean =>
  one.title === other.title &&
  one.state === other.state &&
  one.runs === other.runs &&
  one.rule === other.rule &&
  one.fan_out === other.fan_out;

function nodeOf(task: PictureNode, note: string, places: Places, isDown: boolean): TaskNode {
  return {
    id: task.key,
    type: "task",
    position: places.get(task.key) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    ariaLabel: task.state === null ? task.title : `${task.title}: ${stateWords(task.state)}`,
    data: { task, note, isDown },
  };
}
