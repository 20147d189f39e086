package io.gpureclaimer.deviceplugin.cdi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a runtime checks when it reads a specification, as strict as the strictest: an unknown field
 * is a fault. Written from CDI's own definition, not from our code.
 */
final class SchemaCheck {
  private final List<String> faults = new ArrayList<>();

  private SchemaCheck() {}

  static List<String> faults(String json) {
    var check = new SchemaCheck();
    try {
      check.spec(new ObjectMapper().readTree(json));
    } catch (JsonProcessingException e) {
      check.faults.add(e.toString());
    }
    return check.faults;
  }

  private void spec(JsonNode spec) {
    fields(
        "the specification",
        spec,
        Set.of("cdiVersion", "kind", "devices"),
        Map.of(
            "cdiVersion",
            node -> node.isTextual() && node.textValue().matches("0\\.[3-8]\\.0|1\\.[01]\\.0"),
            "kind",
            node ->
                node.isTextual() && node.textValue().matches("[A-Za-z][\\w.-]*/[A-Za-z][\\w.-]*"),
            "devices",
            node -> node.isArray() && !node.isEmpty(),
            "containerEdits",
            JsonNode::isObject));
    spec.path("devices")
        .forEach(
            device -> {
              fields(
                  "a device",
                  device,
                  Set.of("name", "containerEdits"),
                  Map.of(
                      "name",
                      node ->
                          node.isTextual()
                              && node.textValue().matches("[A-Za-z0-9]([\\w.:-]*[A-Za-z0-9])?"),
                      "containerEdits",
                      node -> node.isObject() && !node.isEmpty()));
              edits(device.path("containerEdits"));
            });
    edits(spec.path("containerEdits"));
  }

  private void edits(JsonNode edits) {
    fields(
        "edits",
        edits,
        Set.of(),
        Map.of(
            "env",
            node -> node.isArray() && all(node, text -> text.textValue().matches("[A-Z_]+=.*")),
            "deviceNodes",
            JsonNode::isArray,
            "mounts",
            JsonNode::isArray,
            "hooks",
            JsonNode::isArray));
    edits.path("deviceNodes").forEach(this::node);
    edits.path("mounts").forEach(this::mount);
    edits.path("hooks").forEach(this::hook);
  }

  private void node(JsonNode node) {
    fields(
        "a device node",
        node,
        Set.of("path"),
        Map.of(
            "path", SchemaCheck::isPath,
            "hostPath", SchemaCheck::isPath,
            "type", type -> type.textValue().matches("[cbup]"),
            "major", SchemaCheck::isNumber,
            "minor", SchemaCheck::isNumber));
  }

  private void mount(JsonNode mount) {
    fields(
        "a mount",
        mount,
        Set.of("hostPath", "containerPath"),
        Map.of(
            "hostPath",
            SchemaCheck::isPath,
            "containerPath",
            SchemaCheck::isPath,
            "options",
            SchemaCheck::isTexts));
  }

  private void hook(JsonNode hook) {
    fields(
        "a hook",
        hook,
        Set.of("hookName", "path"),
        Map.of(
            "hookName",
            name -> "createContainer".equals(name.textValue()),
            "path",
            SchemaCheck::isPath,
            "args",
            SchemaCheck::isTexts,
            "env",
            SchemaCheck::isTexts));
  }

  private void fields(
      String what, JsonNode node, Set<String> required, Map<String, Predicate<JsonNode>> known) {
    required.stream()
        .filter(name -> !node.has(name))
        .forEach(name -> faults.add(what + " has no " + name + ": " + node));
    node.properties()
        .forEach(
            field -> {
              var rule = known.get(field.getKey());
              if (rule == null || !rule.test(field.getValue())) {
                faults.add(what + " has a bad " + field.getKey() + ": " + field.getValue());
              }
            });
  }

  private static boolean isText(JsonNode node) {
    return node.isTextual() && !node.textValue().isEmpty();
  }

  private static boolean isTexts(JsonNode node) {
    return node.isArray() && all(node, SchemaCheck::isText);
  }

  private static boolean isPath(JsonNode node) {
    return node.isTextual() && node.textValue().startsWith("/");
  }

  private static boolean isNumber(JsonNode node) {
    return node.isInt() && node.intValue() >= 0;
  }

  private static boolean all(JsonNode array, Predicate<JsonNode> rule) {
    for (JsonNode element : array) {
      if (!rule.test(element)) {
        return false;
      }
    }
    return true;
  }
}
