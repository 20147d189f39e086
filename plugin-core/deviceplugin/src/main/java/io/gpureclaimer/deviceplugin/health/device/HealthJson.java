package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Counters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** The health of GPUs as JSON, which is read as the YAML that it is. */
final class HealthJson {
  private static final int VERSION = 1;
  private static final HexFormat HEX = HexFormat.of();

  /**
   * What is written.
   *
   * @param order who was at which index of the driver's, where that is known
   * @param told what people were told of devices, by their UUIDs
   */
  record Saved(
      String bootId,
      List<Optional<GpuUuid>> order,
      Map<GpuUuid, GpuState> gpus,
      Map<String, Told> told) {}

  static String write(Saved saved) {
    Map<String, GpuState> sorted = new TreeMap<>();
    saved.gpus().forEach((uuid, gpu) -> sorted.put(uuid.value(), gpu));
    String gpus =
        sorted.entrySet().stream()
            .map(entry -> "\n    " + quoted(entry.getKey()) + ": " + gpu(entry.getValue()))
            .collect(Collectors.joining(","));
    return "{\n  \"version\": "
        + VERSION
        + ",\n  \"bootId\": "
        + quoted(saved.bootId())
        + order(saved.order())
        + ",\n  \"gpus\": {"
        + gpus
        + "\n  }"
        + ToldJson.write(saved.told())
        + "\n}\n";
  }

  static Saved read(String text) throws BadHealthFile {
    Map<?, ?> document = AilmentJson.map("the file", load(text));
    if (!Integer.valueOf(VERSION).equals(document.get("version"))) {
      throw new BadHealthFile("version must be " + VERSION + ", was " + document.get("version"));
    }
    Map<GpuUuid, GpuState> gpus = new HashMap<>();
    for (Map.Entry<?, ?> entry : AilmentJson.map("gpus", document.get("gpus")).entrySet()) {
      GpuUuid uuid = gpu("a GPU's name", entry.getKey());
      gpus.put(uuid, gpu(AilmentJson.map(uuid.value(), entry.getValue())));
    }
    return new Saved(
        AilmentJson.text("bootId", document.get("bootId")),
        order(document.get("order")),
        gpus,
        ToldJson.read(document.get("told")));
  }

  static GpuUuid gpu(String what, @Nullable Object value) throws BadHealthFile {
    String uuid = AilmentJson.text(what, value);
    if (uuid.isBlank()) {
      throw new BadHealthFile(what + " must not be blank");
    }
    return new GpuUuid(uuid);
  }

  private static String order(List<Optional<GpuUuid>> order) {
    return order.isEmpty()
        ? ""
        : order.stream()
            .map(gpu -> "\n    " + gpu.map(GpuUuid::value).map(HealthJson::quoted).orElse("null"))
            .collect(Collectors.joining(",", ",\n  \"order\": [", "\n  ]"));
  }

  /** Files of earlier versions have none. */
  private static List<Optional<GpuUuid>> order(@Nullable Object value) throws BadHealthFile {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> entries)) {
      throw new BadHealthFile("order must be a list, was " + value);
    }
    List<Optional<GpuUuid>> order = new ArrayList<>();
    for (Object entry : entries) {
      order.add(entry == null ? Optional.empty() : Optional.of(gpu("a GPU of order", entry)));
    }
    return order;
  }

  private static @Nullable Object load(String text) throws BadHealthFile {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (YAMLException e) {
      throw new BadHealthFile("must be JSON, was not", e);
    }
  }

  private static String gpu(GpuState gpu) {
    String ailments =
        gpu.ailments().stream()
            .map(ailment -> "\n        " + AilmentJson.write(ailment))
            .collect(Collectors.joining(","));
    return "{\n      \"millijoules\": "
        + gpu.counters().millijoules()
        + ",\n      \"doubleBitErrors\": "
        + gpu.counters().doubleBitErrors()
        + ",\n      \"ailments\": ["
        + ailments
        + "\n      ]\n    }";
  }

  private static GpuState gpu(Map<?, ?> map) throws BadHealthFile {
    if (!(map.get("ailments") instanceof List<?> entries)) {
      throw new BadHealthFile("ailments must be a list, was " + map.get("ailments"));
    }
    List<Ailment> ailments = new ArrayList<>();
    for (Object entry : entries) {
      ailments.add(AilmentJson.read(AilmentJson.map("an ailment", entry)));
    }
    return GpuState.recalled(
        ailments,
        new Counters(
            AilmentJson.number("millijoules", map.get("millijoules")),
            AilmentJson.number("doubleBitErrors", map.get("doubleBitErrors"))));
  }

  static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ' || c > '~') {
                quoted.append("\\u").append(HEX.toHexDigits((char) c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }

  private HealthJson() {}
}
