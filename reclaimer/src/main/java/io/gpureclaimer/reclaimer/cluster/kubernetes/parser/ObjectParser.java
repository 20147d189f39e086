package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads single fields of objects of any kind, and writes patches of them. */
public final class ObjectParser {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ObjectParser() {}

  /** The object as JSON. */
  public static JsonNode tree(HasMetadata object) {
    return MAPPER.valueToTree(object);
  }

  /**
   * JSON text as a tree.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  public static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("expected JSON, found " + json, e);
    }
  }

  /** What an action has to know of the object. */
  public static OwnerDetails details(JsonNode object, Set<String> paths) {
    Map<String, String> fields = new HashMap<>();
    Map<String, Set<String>> managers = new HashMap<>();
    for (String path : paths) {
      field(object, path).ifPresent(value -> fields.put(path, value));
      Set<String> found = managers(object, path);
      if (!found.isEmpty()) {
        managers.put(path, found);
      }
    }
    return new OwnerDetails(
        object.at("/metadata/resourceVersion").asText(),
        field(object, "/metadata/generation"),
        labels(object),
        fields,
        managers,
        Optional.empty());
  }

  /** The value of a field as JSON text; empty if it is absent or null. */
  public static Optional<String> field(JsonNode object, String path) {
    JsonNode value = object.at(path);
    return value.isMissingNode() || value.isNull()
        ? Optional.empty()
        : Optional.of(value.toString());
  }

  /** A JSON merge patch of these fields, for one version of one object and no other. */
  public static String patch(List<FieldChange> changes, String resourceVersion) {
    ObjectRef object = changes.getFirst().object();
    ObjectNode patch = MAPPER.createObjectNode();
    patch.putObject("metadata").put("uid", object.uid()).put("resourceVersion", resourceVersion);
    for (FieldChange change : changes) {
      JsonPointer path = JsonPointer.compile(change.path());
      ObjectNode parent = patch.withObject(path.head());
      String last = path.last().getMatchingProperty();
      change
          .written()
          .ifPresentOrElse(value -> parent.set(last, tree(value)), () -> parent.putNull(last));
    }
    return patch.toString();
  }

  private static Map<String, String> labels(JsonNode object) {
    Map<String, String> labels = new HashMap<>();
    object
        .at("/metadata/labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return labels;
  }

  /** Who has set the field, as server-side apply keeps it. */
  private static Set<String> managers(JsonNode object, String path) {
    String[] tokens = path.substring(1).split("/", -1);
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : object.at("/metadata/managedFields")) {
      JsonNode fields = entry.path("fieldsV1");
      for (String token : tokens) {
        fields = fields.path("f:" + token.replace("~1", "/").replace("~0", "~"));
      }
      if (!fields.isMissingNode()) {
        found.add(entry.path("manager").asText());
      }
    }
    return found;
  }
}
