package io.gpureclaimer.deviceplugin.health.device;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people were told of devices, as JSON; of nothing there is nothing. */
final class ToldJson {
  static String write(Map<String, Told> told) {
    return told.isEmpty()
        ? ""
        : new TreeMap<>(told)
            .entrySet().stream()
                .map(entry -> "\n    " + entry(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(",", ",\n  \"told\": {", "\n  }"));
  }

  private static String entry(String device, Told told) {
    Instant since = told.since();
    return HealthJson.quoted(device)
        + ": {\"gpu\": "
        + HealthJson.quoted(told.gpu().value())
        + ", \"name\": "
        + HealthJson.quoted(told.name())
        + ", \"text\": "
        + HealthJson.quoted(told.text())
        + ", \"since\": "
        + (since == null ? "null" : HealthJson.quoted(since.toString()))
        + "}";
  }

  /** Files of earlier versions have none. */
  static Map<String, Told> read(@Nullable Object value) throws BadHealthFile {
    Map<String, Told> told = new HashMap<>();
    if (value != null) {
      for (Map.Entry<?, ?> entry : AilmentJson.map("told", value).entrySet()) {
        String device = AilmentJson.text("a device of told", entry.getKey());
        told.put(device, told(AilmentJson.map(device, entry.getValue())));
      }
    }
    return told;
  }

  private static Told told(Map<?, ?> map) throws BadHealthFile {
    Object since = map.get("since");
    return new Told(
        HealthJson.gpu("the GPU of a device", map.get("gpu")),
        AilmentJson.text("name", map.get("name")),
        AilmentJson.text("text", map.get("text")),
        since == null ? null : AilmentJson.instant(AilmentJson.text("since", since)));
  }

  private ToldJson() {}
}
