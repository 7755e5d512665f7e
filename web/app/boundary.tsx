import { Component, type ComponentChildren } from "preact";
import { Broken } from "../parts/states.tsx";

interface Props {
  /** What it encloses, for people: "This entry". */
  readonly what: string;
  readonly isSmall?: boolean;
  readonly children: ComponentChildren;
}

/** What fails in here does not take the rest of the page with it. */
export class Boundary extends Component<Props, { error?: Error }> {
  override state: { error?: Error } = {};

  override componentDidCatch(error: Error): void {
    console.error(error);
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const title = `${this.props.what} cannot be shown: ${error.message}`;
    if (this.props.isSmall) return <p class="why">✗ {title}</p>;
    return (
      <Broken
        title={title}
        next="The rest of the page works. Reload it to try again; `seam doctor` looks for causes."
        again={() => this.setState({})}
      />
    );
  }
}
