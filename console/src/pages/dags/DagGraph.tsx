import Alert from "@cloudscape-design/components/alert";
import Select from "@cloudscape-design/components/select";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { memo, useEffect, useMemo, useState } from "react";

import { Skeleton } from "../../kit";
import { stateWords } from "../shared/stateWords";
import {
  LEGEND,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Picture,
  type PictureNode,
  type Places,
  shapeOf,
  signOf,
} from "./picture";
import "../shared/tokens.css";
import "./dagGraph.css";

type TaskNode = Node<{ task: PictureNode; note: string; isDown: boolean }, "task">;

interface Props {
  picture: Picture;
  /** A line beneath a task's title: how often it was tried, what its members came to. */
  notes?: ReadonlyMap<string, string>;
  selected: string | null;
  onSelect: (key: string | null) => void;
  label: string;
}

/** Beyond so many tasks a small map and a search help to find one's way. */
const MAP_FROM = 30;
/** So many tasks are in sight first, if the whole is too large to read. */
const FIRST_SEEN = 12;

/** Draws tasks and edges. States change in place: only another shape is laid out anew. */
export function DagGraph({ picture, notes, selected, onSelect, label }: Props) {
  const isDown = useMemo(() => globalThis.matchMedia("(width <= 688px)").matches, []);
  const { places, failure } = usePlaces(picture, isDown ? "DOWN" : "RIGHT");
  const plain = useMemo(
    () => (places === null ? [] : nodesOf(picture, places, notes, isDown)),
    [picture, places, notes, isDown],
  );
  // Nodes that stay the same object are not drawn anew.
  const nodes = useMemo(
    () => plain.map((node) => (node.id === selected ? { ...node, selected: true } : node)),
    [plain, selected],
  );
  const edges = useMemo(() => edgesOf(picture), [picture]);
  if (failure) {
    return (
      <Alert type="warning">
        The browser could not draw the graph. The table of tasks shows the same.
      </Alert>
    );
  }
  return (
    <figure className="tg-graph" aria-label={label}>
      {picture.nodes.length > MAP_FROM && <FindTask picture={picture} onSelect={onSelect} />}
      <div className="tg-graph-canvas">
        {places === null ? (
          <Skeleton what="the graph" lines={8} />
        ) : (
          <ReactFlow<TaskNode>
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            fitView
            fitViewOptions={{ maxZoom: 1, minZoom: 0.45, nodes: firstSeen(picture) }}
            minZoom={0.05}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            onlyRenderVisibleElements
            onNodeClick={(_, node) => {
              onSelect(node.id);
            }}
            onPaneClick={() => {
              onSelect(null);
            }}
            onNodesChange={(changes) => {
              for (const change of changes) {
                if (change.type === "select" && change.selected) {
                  onSelect(change.id);
                }
              }
            }}
          >
            {picture.nodes.length > MAP_FROM && <Centre selected={selected} />}
            <Background gap={24} />
            <Controls showInteractive={false} />
            {picture.nodes.length > MAP_FROM && (
              <MiniMap<TaskNode>
                pannable
                zoomable
                ariaLabel="Map of the graph"
                nodeClassName={({ data }) => `tg-map-${data.task.state ?? "defined"}`}
              />
            )}
          </ReactFlow>
        )}
      </div>
      <Legend hasStates={picture.nodes.some(({ state }) => state !== null)} />
    </figure>
  );
}

/** Moves a task that was chosen elsewhere into sight. */
function Centre({ selected }: { selected: string | null }) {
  const { fitView } = useReactFlow();
  useEffect(() => {
    if (selected !== null) {
      void fitView({ nodes: [{ id: selected }], maxZoom: 1, duration: 200 });
    }
  }, [selected, fitView]);
  return null;
}

/** Of a large picture, what an operator looks for first: failures, else work, else the beginning. */
function firstSeen(picture: Picture): { id: string }[] {
  const { nodes } = picture;
  if (nodes.length <= MAP_FROM) {
    return nodes.map(({ key }) => ({ id: key }));
  }
  const of = (...states: string[]): PictureNode[] =>
    nodes.filter(({ state }) => state !== null && states.includes(state));
  const failed = of("failed", "timed_out", "dead_lettered");
  const first = (failed[0] ?? of("running")[0] ?? nodes[0])?.key ?? "";
  const beside = picture.edges.flatMap(({ source, target }) =>
    source === first ? [target] : target === first ? [source] : [],
  );
  return [first, ...beside].slice(0, FIRST_SEEN).map((id) => ({ id }));
}

interface FindProps {
  picture: Picture;
  onSelect: (key: string) => void;
}

function FindTask({ picture, onSelect }: FindProps) {
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
}

/** Loads the layout when a graph is shown: it is larger than the rest of the console. */
async function layOutApart(picture: Picture, direction: "RIGHT" | "DOWN"): Promise<Places> {
  const { layOut } = await import("./layout");
  return layOut(picture, direction);
}

function usePlaces(
  picture: Picture,
  direction: "RIGHT" | "DOWN",
): { places: Places | null; failure: boolean } {
  const shape = shapeOf(picture);
  const [laidOut, setLaidOut] = useState<{ shape: string; places: Places } | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    layOutApart(picture, direction).then(
      (places) => {
        if (isCurrent) {
          setLaidOut({ shape, places });
        }
      },
      () => {
        if (isCurrent) {
          setFailed(shape);
        }
      },
    );
    return () => {
      isCurrent = false;
    };
    // The shape stands for the picture: states change, and the layout stays.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape, direction]);
  return {
    places: laidOut?.shape === shape ? laidOut.places : null,
    failure: failed === shape,
  };
}

function nodesOf(
  picture: Picture,
  places: Places,
  notes: ReadonlyMap<string, string> | undefined,
  isDown: boolean,
): TaskNode[] {
  return picture.nodes.map((task) => ({
    id: task.key,
    type: "task",
    position: places.get(task.key) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    ariaLabel:
      task.state === null ? task.title : `${task.title}: ${stateWords(task.state)}`,
    data: { task, note: notes?.get(task.key) ?? "", isDown },
  }));
}

function edgesOf(picture: Picture): Edge[] {
  return picture.edges.map(({ source, target, condition }) => ({
    id: `${source}>${target}`,
    source,
    target,
    className: `tg-edge tg-edge-${condition ?? "on_success"}`,
    markerEnd: { type: MarkerType.ArrowClosed },
  }));
}

const TaskBox = memo(function TaskBox({ data, selected }: NodeProps<TaskNode>) {
  const { task, note, isDown } = data;
  const kind = `${task.runs}${task.fan_out ? ", fans out" : ""}${task.rule === "all" ? "" : `, ${task.rule}`}`;
  return (
    <div
      className={`tg-task tg-task-${task.state ?? "defined"}${selected ? " tg-task-chosen" : ""}${task.fan_out ? " tg-task-fan" : ""}`}
    >
      <Handle type="target" position={isDown ? Position.Top : Position.Left} />
      <span className="tg-task-sign" aria-hidden="true">
        {signOf(task.state)}
      </span>
      <span className="tg-task-title">{task.title}</span>
      <span className="tg-task-note">{note === "" ? kind : note}</span>
      <Handle type="source" position={isDown ? Position.Bottom : Position.Right} />
    </div>
  );
});

const NODE_TYPES = { task: TaskBox };

function Legend({ hasStates }: { hasStates: boolean }) {
  return (
    <figcaption className="tg-legend">
      {hasStates &&
        LEGEND.map(([state, sign]) => (
          <span key={state}>
            <span className={`tg-task-sign tg-sign-${state}`} aria-hidden="true">
              {sign}
            </span>{" "}
            {stateWords(state)}
          </span>
        ))}
      <span className="tg-legend-edge tg-legend-on_success">on success</span>
      <span className="tg-legend-edge tg-legend-on_failure">on failure</span>
      <span className="tg-legend-edge tg-legend-on_finished">on finished</span>
    </figcaption>
  );
}
