package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** Health of GPUs as JSON. Unknown members are ignored: versions before and after may have more. */
final class HealthJson {
  private static final int VERSION = 1;
  private static final YamlReader READER =
      new YamlReader(
          problem -> {
            throw new InvalidHealthFile(problem);
          });

  /** A file in another format; the message names rule and value in one line. */
  static final class InvalidHealthFile extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidHealthFile(String message) {
      super(message);
    }
  }

  /**
   * What is written.
   *
   * @param order who was at which index of the driver's, where that is known
   */
  record Saved(String bootId, List<Optional<GpuUuid>> order, Map<GpuUuid, GpuState> gpus) {}

  private HealthJson() {}

  static String write(Saved saved) {
    var json =
        JsonWriter.indented()
            .beginObject()
            .member("version", VERSION)
            .member("bootId", saved.bootId())
            .name("order")
            .tree(saved.order().stream().map(gpu -> gpu.orElse(null)).toList())
            .name("gpus")
            .beginObject();
    Map<String, GpuState> sorted = new TreeMap<>();
    saved.gpus().forEach((uuid, gpu) -> sorted.put(uuid.value(), gpu));
    sorted.forEach(
        (uuid, gpu) -> {
          json.name(uuid)
              .beginObject()
              .optionalMember("millijoules", gpu.counters().millijoules())
              .optionalMember("doubleBitErrors", gpu.counters().doubleBitErrors())
              .name("ailments")
              .beginArray();
          gpu.issues().forEach(issue -> write(issue, json));
          json.endArray().endObject();
        });
    return json.endObject().endObject() + "\n";
  }

  private static void write(HealthIssue issue, JsonWriter json) {
    json.beginObject()
        .member("reason", issue.reason().code())
        .optionalMember("xid", issue.xid())
        .member("text", issue.text())
        .member("since", issue.since().toString())
        .member("cure", issue.cure().text())
        .member("resetSeen", issue.resetSeen())
        .optionalMember("instance", issue.instance())
        .optionalMember("mig", issue.mig())
        .endObject();
  }

  /**
   * What was written.
   *
   * @throws InvalidHealthFile if the text is anything else
   */
  static Saved read(String file, String text) {
    YamlValue document =
        READER
            .root(file, text)
            .orElseThrow(() -> new InvalidHealthFile(file + " must have content, was empty"));
    Map<String, YamlValue> members = members(document);
    YamlValue version = required(document, members, "version");
    if (integer(version) != VERSION) {
      throw new InvalidHealthFile(version.mustBe(String.valueOf(VERSION)));
    }
    var gpus = new HashMap<GpuUuid, GpuState>();
    READER
        .entries(required(document, members, "gpus"))
        .forEach((uuid, gpu) -> gpus.put(gpu(uuid, gpu), state(gpu)));
    return new Saved(text(document, members, "bootId"), order(members.get("order")), gpus);
  }

  /** Files of earlier versions have none. */
  private static List<Optional<GpuUuid>> order(@Nullable YamlValue value) {
    List<Optional<GpuUuid>> order = new ArrayList<>();
    if (value != null) {
      for (YamlValue one : READER.elements(value)) {
        order.add(one.isNull() ? Optional.empty() : READER.text(one).map(uuid -> gpu(uuid, one)));
      }
    }
    return order;
  }

  private static GpuUuid gpu(String uuid, YamlValue where) {
    if (uuid.isBlank()) {
      throw new InvalidHealthFile(where.mustBe("of a GPU whose UUID is not blank"));
    }
    return new GpuUuid(uuid);
  }

  private static GpuState state(YamlValue gpu) {
    Map<String, YamlValue> members = members(gpu);
    return GpuState.recalled(
        READER.elements(required(gpu, members, "ailments")).stream()
            .map(HealthJson::issue)
            .toList(),
        new GpuCounters(number(members, "millijoules"), number(members, "doubleBitErrors")));
  }

  /** What was written has come before every survey that there will be. */
  private static HealthIssue issue(YamlValue issue) {
    Map<String, YamlValue> members = members(issue);
    String reason = text(issue, members, "reason");
    String cure = text(issue, members, "cure");
    YamlValue mig = members.get("mig");
    return new HealthIssue(
        UnhealthyReason.of(reason)
            .orElseThrow(() -> new InvalidHealthFile(issue.where() + " has reason " + reason)),
        small(members, "xid"),
        text(issue, members, "text"),
        instant(issue, text(issue, members, "since")),
        RecoveryCondition.of(cure)
            .orElseThrow(() -> new InvalidHealthFile(issue.where() + " has cure " + cure)),
        Optional.ofNullable(members.get("resetSeen")).flatMap(READER::bool).orElse(false),
        true,
        small(members, "instance"),
        mig == null ? null : READER.text(mig).orElseThrow());
  }

  private static Map<String, YamlValue> members(YamlValue mapping) {
    if (!mapping.isMapping()) {
      throw new InvalidHealthFile(mapping.mustBe("a mapping"));
    }
    Map<String, YamlValue> members = READER.entries(mapping);
    members.values().removeIf(YamlValue::isNull);
    return members;
  }

  private static YamlValue required(
      YamlValue mapping, Map<String, YamlValue> members, String name) {
    return READER.required(mapping, members, name).orElseThrow();
  }

  private static String text(YamlValue mapping, Map<String, YamlValue> members, String name) {
    return READER.text(required(mapping, members, name)).orElseThrow();
  }

  private static Instant instant(YamlValue where, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      throw new InvalidHealthFile(where.where() + " must have a timestamp as since, was " + text);
    }
  }

  private static @Nullable Long number(Map<String, YamlValue> members, String name) {
    YamlValue value = members.get(name);
    return value == null ? null : integer(value);
  }

  private static long integer(YamlValue value) {
    String rule = "a whole number";
    try {
      return Long.parseLong(READER.scalar(value, rule, Tag.INT).orElseThrow());
    } catch (NumberFormatException _) {
      throw new InvalidHealthFile(value.mustBe(rule));
    }
  }

  private static @Nullable Integer small(Map<String, YamlValue> members, String name) {
    YamlValue value = members.get(name);
    return value == null ? null : READER.integer(value, 0).orElseThrow();
  }
}
