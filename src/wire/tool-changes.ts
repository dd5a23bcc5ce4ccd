import { field, textField } from "./message-content.ts";

/**
 * The menu as the changes in a conversation leave it: Anthropic's `tool_addition` and `tool_removal`, which stand in messages of the
 * system, so that the request's own `tools` stay as they were.
 *
 * @example
 * withToolChanges(["refund"], [{ role: "system", content: [{ type: "tool_removal", tool: { type: "tool_reference", name: "refund" } }] }]) // []
 */
export function withToolChanges(names: readonly string[], messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return names;
  const menu = new Set(names);
  for (const message of messages) {
    const content = field(message, "role") === "system" ? field(message, "content") : undefined;
    if (!Array.isArray(content)) continue;
    for (const block of content) {
      const tool = field(block, "tool");
      const definition = field(tool, "definition");
      const name = textField(definition === undefined ? tool : definition, "name");
      if (field(block, "type") === "tool_addition") menu.add(name);
      else if (field(block, "type") === "tool_removal") menu.delete(name);
    }
  }
  return [...menu];
}
