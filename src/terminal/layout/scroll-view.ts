import type { Component } from "../component.ts";
import { Container } from "../components/container.ts";

type Scrollbar = "hidden" | "auto" | "always";

interface ScrollViewOptions {
  readonly follow?: "none" | "end";
  readonly primary?: boolean;
  readonly overscroll?: "chain" | "contain";
  readonly scrollbar?: Scrollbar;
}

/** A part of something that is higher than the room for it. Without a layout it draws all of it. */
export class ScrollView extends Container {
  readonly followEnd: boolean;
  readonly primary: boolean;
  readonly overscroll: "chain" | "contain";
  readonly #component: Component;
  #scrollbar: Scrollbar;
  #top = 0;
  #contentHeight = 0;
  #viewportHeight = 0;
  #following: boolean;

  constructor(component: Component, options: ScrollViewOptions = {}) {
    super();
    this.#component = component;
    super.addChild(component);
    this.followEnd = options.follow === "end";
    this.#following = this.followEnd;
    this.primary = options.primary ?? false;
    this.overscroll = options.overscroll ?? "chain";
    this.#scrollbar = options.scrollbar ?? "auto";
  }

  get scrollTop(): number {
    return this.#top;
  }
  get isFollowingEnd(): boolean {
    return this.#following;
  }
  get viewportHeight(): number {
    return this.#viewportHeight;
  }
  get scrollbar(): Scrollbar {
    return this.#scrollbar;
  }
  get isScrollbarVisible(): boolean {
    return this.#scrollbar === "always" || (this.#scrollbar === "auto" && this.#lowest > 0);
  }

  setScrollbar(scrollbar: Scrollbar): void {
    this.#scrollbar = scrollbar;
  }
  getContentWidth(width: number): number {
    return this.isScrollbarVisible ? Math.max(1, width - 1) : width;
  }

  scrollTo(top: number): void {
    this.#top = Math.max(0, Math.min(this.#lowest, Math.round(top)));
    this.#following = this.followEnd && this.#top === this.#lowest;
  }
  /** Returns by how many lines it moved. */
  scrollBy(lines: number): number {
    const before = this.#top;
    this.scrollTo(before + lines);
    return this.#top - before;
  }
  scrollToStart(): void {
    this.scrollTo(0);
  }
  scrollToEnd(): void {
    this.scrollTo(this.#lowest);
  }

  /** Takes the number of lines there are, and how many of them fit. */
  updateLayout(contentHeight: number, viewportHeight: number): void {
    this.#contentHeight = contentHeight;
    this.#viewportHeight = viewportHeight;
    this.scrollTo(this.#following ? this.#lowest : this.#top);
  }

  override render(width: number): string[] {
    const lines = this.#component.render(this.getContentWidth(width));
    if (this.#viewportHeight === 0) return lines;
    this.updateLayout(lines.length, this.#viewportHeight);
    return lines.slice(this.#top, this.#top + this.#viewportHeight);
  }

  get #lowest(): number {
    return Math.max(0, this.#contentHeight - this.#viewportHeight);
  }
}
