package io.gpureclaimer.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a script from YAML: a list with one entry per GPU that is not idle. */
final class ScriptYaml {
  private static final String GPU = "gpu";
  private static final String UTILIZATION = "utilization";
  private static final String MEMORY_USED_MIB = "memory-used-mib";
  private static final String FAULT = "fault";
  private static final String MIG = "mig";
  private static final String XIDS = "xids";
  private static final String PROCESSES = "processes";
  private static final String RECOVERY_ACTION = "recovery-action";
  private static final List<String> KEYS =
      List.of(GPU, UTILIZATION, MEMORY_USED_MIB, FAULT, MIG, XIDS, PROCESSES, RECOVERY_ACTION);
  private static final int LAST_ACTION = 5;
  private static final int FULL = 100;

  /** The script in {@code text}, for a node with so many GPUs. */
  static Script parse(String text, int gpus) throws BadScript {
    Object document = load(text);
    if (document == null) {
      return Script.IDLE;
    }
    if (!(document instanceof List<?> entries)) {
      throw new BadScript("a script must be a list of GPUs, was " + quoted(document));
    }
    List<GpuScript> scripts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (Object entry : entries) {
      GpuScript script = entry("entry " + (scripts.size() + 1) + ": ", entry, gpus);
      if (!seen.add(script.gpu())) {
        throw new BadScript(
            "entry " + (scripts.size() + 1) + ": gpu must be listed once, was " + script.gpu());
      }
      scripts.add(script);
    }
    return new Script(scripts);
  }

  private static @Nullable Object load(String text) throws BadScript {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (MarkedYAMLException e) {
      throw new BadScript(
          "line " + (e.getProblemMark().getLine() + 1) + ": not YAML: " + e.getProblem(), e);
    } catch (YAMLException e) {
      throw new BadScript("not YAML: " + e.getMessage(), e);
    }
  }

  private static GpuScript entry(String where, @Nullable Object entry, int gpus) throws BadScript {
    if (!(entry instanceof Map<?, ?> map)) {
      throw new BadScript(where + "must have keys and values, was " + quoted(entry));
    }
    for (Object key : map.keySet()) {
      if (!KEYS.contains(key)) {
        throw new BadScript(where + "keys must be among " + KEYS + ", was " + quoted(key));
      }
    }
    if (!map.containsKey(GPU)) {
      throw new BadScript(where + "gpu must be given, was " + quoted(map));
    }
    int gpu = number(where, GPU, map, gpus - 1).orElseThrow();
    return new GpuScript(
        gpu,
        number(where, UTILIZATION, map, FULL).orElse(0),
        number(where, MEMORY_USED_MIB, map, Integer.MAX_VALUE),
        fault(where, map),
        ScriptYamlLists.mig(where + MIG, map.get(MIG), map.containsKey(MIG)),
        ScriptYamlLists.xids(where + XIDS, map.get(XIDS)),
        ScriptYamlLists.processes(where + PROCESSES, map.get(PROCESSES)),
        number(where, RECOVERY_ACTION, map, LAST_ACTION).orElse(0));
  }

  static OptionalInt number(String where, String key, Map<?, ?> map, int most) throws BadScript {
    if (!map.containsKey(key)) {
      return OptionalInt.empty();
    }
    Object value = map.get(key);
    if (value instanceof Integer number && number >= 0 && number <= most) {
      return OptionalInt.of(number);
    }
    throw new BadScript(
        where + key + " must be a whole number from 0 to " + most + ", was " + quoted(value));
  }

  private static Optional<Fault> fault(String where, Map<?, ?> map) throws BadScript {
    if (!map.containsKey(FAULT)) {
      return Optional.empty();
    }
    Optional<Fault> fault = Fault.of(String.valueOf(map.get(FAULT)));
    if (fault.isEmpty()) {
      String known =
          Arrays.stream(Fault.values()).map(Fault::text).collect(Collectors.joining(", "));
      throw new BadScript(
          where + "fault must be one of " + known + ", was " + quoted(map.get(FAULT)));
    }
    return fault;
  }

  /** A value as a message shows it: on one line, and not endless. */
  static String quoted(@Nullable Object value) {
    String text = String.valueOf(value).replace('\n', ' ');
    int most = 80;
    return '"' + (text.length() > most ? text.substring(0, most) + "…" : text) + '"';
  }

  private ScriptYaml() {}
}
