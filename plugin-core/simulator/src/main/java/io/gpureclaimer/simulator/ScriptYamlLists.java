package io.gpureclaimer.simulator;

import static io.gpureclaimer.simulator.ScriptYaml.number;
import static io.gpureclaimer.simulator.ScriptYaml.quoted;

import io.gpureclaimer.simulator.ScriptedProcess.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the lists in an entry of a script: instances, XIDs, processes. */
final class ScriptYamlLists {
  private static final String CODE = "code";
  private static final String AFTER = "after";
  private static final String INSTANCE = "instance";
  private static final String PID = "pid";
  private static final String MEMORY_MIB = "memory-mib";
  private static final String SM = "sm";
  private static final String KIND = "kind";
  private static final int HIGHEST_XID = 999;
  private static final int HIGHEST_INSTANCE = 13;
  private static final int FULL = 100;
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** Instances by their sizes; {@code off} (which YAML takes for false) for none. */
  static Optional<MigLayout> mig(String where, @Nullable Object value, boolean given)
      throws BadScript {
    if (!given) {
      return Optional.empty();
    }
    if (Boolean.FALSE.equals(value)) {
      return Optional.of(MigLayout.OFF);
    }
    List<String> sizes = new ArrayList<>();
    for (Object size : list(where, value)) {
      sizes.add(String.valueOf(size));
    }
    try {
      return Optional.of(MigLayout.of(sizes));
    } catch (IllegalArgumentException e) {
      throw new BadScript(where + ": " + e.getMessage(), e);
    }
  }

  static List<ScriptedXid> xids(String where, @Nullable Object value) throws BadScript {
    List<ScriptedXid> xids = new ArrayList<>();
    for (Object entry : value == null ? List.of() : list(where, value)) {
      String at = where + " entry " + (xids.size() + 1) + ": ";
      Map<?, ?> map = map(at, entry, List.of(CODE, AFTER, INSTANCE), CODE);
      int code = number(at, CODE, map, HIGHEST_XID).orElseThrow();
      if (code == 0) {
        throw new BadScript(at + "code must be positive, was 0");
      }
      xids.add(new ScriptedXid(code, after(at, map), number(at, INSTANCE, map, HIGHEST_INSTANCE)));
    }
    return xids;
  }

  static List<ScriptedProcess> processes(String where, @Nullable Object value) throws BadScript {
    List<ScriptedProcess> processes = new ArrayList<>();
    for (Object entry : value == null ? List.of() : list(where, value)) {
      String at = where + " entry " + (processes.size() + 1) + ": ";
      Map<?, ?> map = map(at, entry, List.of(PID, MEMORY_MIB, SM, KIND, INSTANCE), PID);
      processes.add(
          new ScriptedProcess(
              number(at, PID, map, Integer.MAX_VALUE).orElseThrow(),
              number(at, MEMORY_MIB, map, Integer.MAX_VALUE),
              number(at, SM, map, FULL).orElse(0),
              kind(at, map),
              number(at, INSTANCE, map, HIGHEST_INSTANCE)));
    }
    return processes;
  }

  private static Duration after(String where, Map<?, ?> map) throws BadScript {
    if (!map.containsKey(AFTER)) {
      return Duration.ZERO;
    }
    Matcher text = DURATION.matcher(String.valueOf(map.get(AFTER)));
    if (!text.matches()) {
      throw new BadScript(where + "after must look like 30s, was " + quoted(map.get(AFTER)));
    }
    long amount = Long.parseLong(text.group(1));
    return switch (text.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  private static Kind kind(String where, Map<?, ?> map) throws BadScript {
    if (!map.containsKey(KIND)) {
      return Kind.COMPUTE;
    }
    Optional<Kind> kind = Kind.of(String.valueOf(map.get(KIND)));
    if (kind.isEmpty()) {
      throw new BadScript(
          where + "kind must be compute, mps or graphics, was " + quoted(map.get(KIND)));
    }
    return kind.get();
  }

  private static List<?> list(String where, @Nullable Object value) throws BadScript {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new BadScript(where + " must be a list, was " + quoted(value));
  }

  private static Map<?, ?> map(
      String where, @Nullable Object entry, List<String> keys, String needed) throws BadScript {
    if (!(entry instanceof Map<?, ?> map)) {
      throw new BadScript(where + "must have keys and values, was " + quoted(entry));
    }
    for (Object key : map.keySet()) {
      if (!keys.contains(key)) {
        throw new BadScript(where + "keys must be among " + keys + ", was " + quoted(key));
      }
    }
    if (!map.containsKey(needed)) {
      throw new BadScript(where + needed + " must be given, was " + quoted(map));
    }
    return map;
  }

  private ScriptYamlLists() {}
}
