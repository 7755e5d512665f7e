import { getCapabilities } from "./capabilities.ts";
import type { ImageDimensions } from "./dimensions.ts";

const ESC = "\u001b";
/** The longest piece of a picture that the kitty protocol takes at once. */
const CHUNK = 4096;

let cell: ImageDimensions = { widthPx: 9, heightPx: 18 };

/** How large one character is, in pixels. */
export const getCellDimensions = (): ImageDimensions => cell;
export function setCellDimensions(dimensions: ImageDimensions): void {
  cell = dimensions;
}

let lastId = 0;

/** A number for a picture that no other one of this program has. */
export function allocateImageId(): number {
  lastId = (lastId % 0xffff_fffe) + 1;
  return lastId;
}

interface KittyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly imageId?: number;
  readonly moveCursor?: boolean;
}

/** A PNG for terminals that speak kitty's protocol, in pieces. */
export function encodeKitty(base64: string, options: KittyOptions = {}): string {
  const { columns, rows, imageId, moveCursor } = options;
  const keys = [
    "a=T",
    "f=100",
    "q=2",
    ...(columns ? [`c=${columns}`] : []),
    ...(rows ? [`r=${rows}`] : []),
    ...(imageId ? [`i=${imageId}`] : []),
    ...(moveCursor === false ? ["C=1"] : []),
  ].join(",");
  const pieces = base64.match(new RegExp(`.{1,${CHUNK}}`, "g")) ?? [""];
  return pieces
    .map((piece, index) => {
      const more = index < pieces.length - 1 ? 1 : 0;
      const head = index === 0 ? `${keys}${pieces.length > 1 ? `,m=${more}` : ""}` : `m=${more}`;
      return `${ESC}_G${head};${piece}${ESC}\\`;
    })
    .join("");
}

export const deleteKittyImage = (id: number) => `${ESC}_Ga=d,d=I,i=${id},q=2${ESC}\\`;
export const deleteAllKittyImages = () => `${ESC}_Ga=d,d=A,q=2${ESC}\\`;

interface ITermOptions {
  readonly width?: number | string;
  readonly height?: number | string;
  readonly name?: string;
  readonly preserveAspectRatio?: boolean;
  readonly inline?: boolean;
}

/** A picture for terminals that speak iTerm2's protocol. */
export function encodeITerm2(base64: string, options: ITermOptions = {}): string {
  const { width, height, name, preserveAspectRatio, inline = true } = options;
  const keys = [
    `inline=${inline ? 1 : 0}`,
    ...(width === undefined ? [] : [`width=${width}`]),
    ...(height === undefined ? [] : [`height=${height}`]),
    ...(name === undefined ? [] : [`name=${Buffer.from(name).toString("base64")}`]),
    ...(preserveAspectRatio === false ? ["preserveAspectRatio=0"] : []),
  ];
  return `${ESC}]1337;File=${keys.join(";")}:${base64}\u0007`;
}

/** How many lines a picture takes that is shown this wide. */
export function calculateImageRows(
  image: ImageDimensions,
  columns: number,
  size: ImageDimensions = cell,
): number {
  const heightPx = (image.heightPx / image.widthPx) * columns * size.widthPx;
  return Math.max(1, Math.ceil(heightPx / size.heightPx));
}

/** A picture is drawn as large as fits, also a small one: whoever is shown it wants to see it. */
function cellsFor(image: ImageDimensions, maxWidth: number, maxHeight = Number.POSITIVE_INFINITY) {
  const [width, height] = [Math.max(1, image.widthPx), Math.max(1, image.heightPx)];
  const most = {
    columns: Math.max(1, Math.floor(maxWidth)),
    rows: Math.max(1, Math.floor(maxHeight)),
  };
  const scale = Math.min(
    (most.columns * cell.widthPx) / width,
    (most.rows * cell.heightPx) / height,
  );
  const cells = (pixels: number, size: number) => Math.max(1, Math.ceil((pixels * scale) / size));
  return {
    columns: Math.min(most.columns, cells(width, cell.widthPx)),
    rows: Math.min(most.rows, cells(height, cell.heightPx)),
  };
}

interface RenderOptions {
  readonly maxWidthCells?: number;
  readonly maxHeightCells?: number;
  readonly preserveAspectRatio?: boolean;
  readonly imageId?: number;
  readonly moveCursor?: boolean;
}

/** What shows a picture in this terminal, and how much room it takes; null if it cannot. */
export function renderImage(base64: string, image: ImageDimensions, options: RenderOptions = {}) {
  const { images } = getCapabilities();
  if (images === null) return null;
  const { maxWidthCells = 80, maxHeightCells, preserveAspectRatio, imageId, moveCursor } = options;
  const { columns, rows } = cellsFor(image, maxWidthCells, maxHeightCells);
  if (images === "kitty") {
    const id = imageId === undefined ? {} : { imageId };
    const cursor = moveCursor === undefined ? {} : { moveCursor };
    return {
      sequence: encodeKitty(base64, { columns, rows, ...id, ...cursor }),
      columns,
      rows,
      ...id,
    };
  }
  const ratio = preserveAspectRatio === undefined ? {} : { preserveAspectRatio };
  return {
    sequence: encodeITerm2(base64, { width: columns, height: "auto", ...ratio }),
    columns,
    rows,
  };
}

/** Text that can be clicked, in terminals that know how. */
export function hyperlink(text: string, url: string): string {
  return `${ESC}]8;;${url}${ESC}\\${text}${ESC}]8;;${ESC}\\`;
}

/** What is shown instead of a picture. */
export function imageFallback(
  mimeType: string,
  image?: ImageDimensions,
  filename?: string,
): string {
  const parts = [filename, `[${mimeType}]`, image && `${image.widthPx}x${image.heightPx}`];
  return `[Image: ${parts.filter((part) => part !== undefined).join(" ")}]`;
}
