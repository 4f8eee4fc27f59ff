// What the scripts of the player speak of.  Only the type checker reads this file.

type JsonNumber = number | "inf" | "-inf" | "nan";
type Pair = [string, string]; // English, Spanish
type Rows = Record<string, Pair>;
type Fields = Record<string, unknown>;
type Span = [number, number];

// ---- the document, as player/document.py writes it ----------------------------------------------

interface TraceNode {
  name: string;
  op: string;
  args: string[];
  label: string;
  data: JsonNumber;
  grad: JsonNumber;
}

interface SeedRow {
  type: "seed";
  node: string;
  grad: JsonNumber;
}

interface FlowRow {
  type: "flow";
  source: string;
  slot: number;
  target: string;
  upstream: JsonNumber;
  local: JsonNumber;
  amount: JsonNumber;
  before: JsonNumber;
  after: JsonNumber;
}

interface TraceDocument {
  schema: string;
  output: string;
  nodes: TraceNode[];
  order: string[];
  events: (SeedRow | FlowRow)[];
}

interface PathRow {
  nodes: string[];
  slots: number[];
  locals: JsonNumber[];
  amount: JsonNumber;
  skipped: number;
}

interface PathsRow {
  total: JsonNumber;
  count: number | string;
  listed: PathRow[];
  rest: JsonNumber;
}

interface GroupRow {
  title: Pair;
  parent: string; // "" for a group of the whole
  svg: string; // its inside as a graph; "" where it has not been drawn
  river: string; // and as a river
}

interface ToldTrace {
  key: string;
  title: Pair;
  trace: TraceDocument;
  names: string[]; // for people
  recipes: string[]; // "a * b", or "" for a leaf
  worked: string[]; // "2 * 3"
  conventions: number[]; // nodes whose gradient is a convention, at a kink
  symbols: Record<string, string>; // a local derivative in symbols, as MathML, by "SOURCE.SLOT"
  paths: Record<string, PathsRow>;
  drawings: Record<string, string>;
  ledgers: Record<string, string>;
  groups: Record<string, GroupRow>;
}

interface PlayerDocument {
  schema: "minigrad.player/1";
  language: string;
  title: string;
  view: string;
  node: number | null;
  source: { text: string; places: (Span | null)[] };
  traces: ToldTrace[];
  words: Rows;
}

// ---- a trace that has been read -----------------------------------------------------------------

interface StoryNode {
  name: string;
  op: string;
  args: number[];
  data: number;
  grad: number;
}

interface SeedEvent {
  kind: "seed";
  time: number; // of its step
  node: number;
  grad: number;
}

interface FlowEvent {
  kind: "flow";
  time: number;
  source: number;
  slot: number;
  target: number;
  upstream: number;
  local: number;
  amount: number;
  before: number;
  after: number;
}

interface Step {
  kind: "inputs" | "forward" | "seed" | "flow";
  node: number; // whose data or grad changes; -1 for all the leaves at once
  event: number | null;
}

interface Story {
  nodes: StoryNode[];
  events: (SeedEvent | FlowEvent)[];
  steps: Step[];
  output: number;
  backward: number; // the time of the first step backward; steps.length if there is none
  born: number[]; // the time at which each node has its data
  arrivals: number[][]; // the times at which each node's grad changes
  channels: Map<string, FlowEvent[]>; // what goes over each slot, by "SOURCE.SLOT"
  consumers: number[][];
}

interface Frame {
  time: number;
  step: Step;
  data: (number | null)[]; // null: not yet
  grad: (number | null)[];
  sent: (key: string) => FlowEvent | null; // what has come over a slot, by "SOURCE.SLOT"
  flow: FlowEvent | null; // what happens now
}

// ---- the player ---------------------------------------------------------------------------------

interface PlayerWishes {
  embedded?: boolean; // inside another page, which has the source and the language switch
  keys?: "page" | "host"; // where the keys work: everywhere, or only inside
  inputs?: boolean; // whether the inputs can be moved here; in a page of its own they can
  drawGroup?: DrawGroup; // asks for the inside of a group that the document has not got
}

interface PlayerState {
  t: number;
  view: string;
  lang: string;
  node: number | null;
  dim: boolean;
  predict: boolean;
  speed: string;
  group: string;
}

interface Marks {
  chosen: number | null;
  path: Set<number> | null; // what is not dimmed; null: everything
  edges: Set<string> | null;
  wrong: (kind: string, of: number | string, frame: Frame) => boolean;
}

// A field of a sentence that has a colour: what kind of number it is, and its text.
interface Tinted {
  kind: string;
  text: string;
}

// The inside of a group of a trace, by the trace's key; the markup of a drawing.
type DrawGroup = (trace: string, group: string) => Promise<string>;

interface PaneNotices {
  choose: (pane: Pane, node: number) => void;
  open: (group: string) => void;
  opens: (row: GroupRow) => boolean; // whether a group can be opened here
}

// What the bar below the drawing can ask of the player.
interface ControlActs {
  to: (time: number) => void;
  by: (steps: number) => void;
  turn: () => void;
  toggle: () => void;
  speed: (speed: string) => void;
}

// And what stands above it.
interface PageFrameActs {
  view: (view: string) => void;
  dim: () => void;
  predict: () => void;
  language: (language: string) => void;
}

interface GradientRow {
  node: number;
  element: HTMLElement;
  data: HTMLElement;
  grads: HTMLElement[]; // one per pane
  meaning: HTMLElement | null;
}
