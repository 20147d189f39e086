package io.gpureclaimer.simulator;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** Parser of a script in YAML: a list with one entry per GPU that is not idle. */
final class ScriptYaml {
  private static final String GPU = "gpu";
  private static final String UTILIZATION = "utilization";
  private static final String MEMORY_USED_MIB = "memory-used-mib";
  private static final String FAULT = "fault";
  private static final String MIG = "mig";
  private static final String XIDS = "xids";
  private static final String PROCESSES = "processes";
  private static final String RECOVERY_ACTION = "recovery-action";
  private static final List<String> GPU_KEYS =
      List.of(GPU, UTILIZATION, MEMORY_USED_MIB, FAULT, MIG, XIDS, PROCESSES, RECOVERY_ACTION);

  private static final String CODE = "code";
  private static final String AFTER = "after";
  private static final String INSTANCE = "instance";
  private static final List<String> XID_KEYS = List.of(CODE, AFTER, INSTANCE);

  private static final String PID = "pid";
  private static final String MEMORY_MIB = "memory-mib";
  private static final String SM = "sm";
  private static final String KIND = "kind";
  private static final List<String> PROCESS_KEYS = List.of(PID, MEMORY_MIB, SM, KIND, INSTANCE);

  private static final int LAST_ACTION = 5;
  private static final int FULL = 100;
  private static final int HIGHEST_XID = 999;
  private static final int HIGHEST_INSTANCE = 13;
  private static final int LARGEST = 999_999_999;

  private final int gpus;
  private final List<String> problems = new ArrayList<>();
  private final YamlReader reader = new YamlReader(problems::add);

  private ScriptYaml(int gpus) {
    this.gpus = gpus;
  }

  /**
   * The script in {@code text}, for a node with so many GPUs.
   *
   * @throws IllegalArgumentException with the first problem
   */
  static Script parse(String file, String text, int gpus) {
    var yaml = new ScriptYaml(gpus);
    List<GpuScript> scripts =
        yaml.reader
            .root(file, text)
            .filter(root -> !root.isNull())
            .map(yaml::gpus)
            .orElse(List.of());
    if (!yaml.problems.isEmpty()) {
      throw new IllegalArgumentException(yaml.problems.getFirst());
    }
    return new Script(scripts);
  }

  private List<GpuScript> gpus(YamlValue root) {
    List<GpuScript> scripts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (YamlValue entry : reader.elements(root)) {
      gpu(entry)
          .ifPresent(
              script -> {
                if (!seen.add(script.gpu())) {
                  reader.problem(entry.where() + ".gpu must be listed once, was " + script.gpu());
                } else {
                  scripts.add(script);
                }
              });
    }
    return scripts;
  }

  private Optional<GpuScript> gpu(YamlValue entry) {
    Map<String, YamlValue> fields = reader.fields(entry, GPU_KEYS);
    Optional<Integer> gpu =
        reader.required(entry, fields, GPU).flatMap(it -> reader.integer(it, 0, gpus - 1));
    return gpu.map(
        index ->
            new GpuScript(
                index,
                integer(fields.get(UTILIZATION), FULL).orElse(0),
                integer(fields.get(MEMORY_USED_MIB), LARGEST),
                optional(fields.get(FAULT)).flatMap(this::fault),
                optional(fields.get(MIG)).flatMap(this::mig),
                elements(fields.get(XIDS), this::xid),
                elements(fields.get(PROCESSES), this::process),
                integer(fields.get(RECOVERY_ACTION), LAST_ACTION).orElse(0)));
  }

  private static Optional<YamlValue> optional(@Nullable YamlValue value) {
    return Optional.ofNullable(value);
  }

  private OptionalInt integer(@Nullable YamlValue value, int most) {
    return optional(value)
        .flatMap(it -> reader.integer(it, 0, most))
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  private <T> List<T> elements(@Nullable YamlValue list, Function<YamlValue, Optional<T>> element) {
    return optional(list).stream()
        .flatMap(it -> reader.elements(it).stream())
        .flatMap(it -> element.apply(it).stream())
        .toList();
  }

  private Optional<Fault> fault(YamlValue value) {
    String known = Arrays.stream(Fault.values()).map(Fault::text).collect(Collectors.joining(", "));
    return valid(value, "one of " + known, Fault::of);
  }

  private <T> Optional<T> valid(
      YamlValue value, String rule, Function<String, Optional<T>> parser) {
    Optional<String> text = reader.scalar(value, rule);
    Optional<T> valid = text.flatMap(parser);
    if (text.isPresent() && valid.isEmpty()) {
      reader.problem(value.mustBe(rule));
    }
    return valid;
  }

  /** Instances by their sizes; {@code off}, which YAML takes for false, for none. */
  private Optional<MigLayout> mig(YamlValue value) {
    if (value.node().getTag().equals(Tag.BOOL)) {
      boolean on = reader.bool(value).orElse(true);
      if (on) {
        reader.problem(value.mustBe("off or a list"));
      }
      return Optional.of(MigLayout.OFF);
    }
    try {
      return Optional.of(MigLayout.of(elements(value, it -> reader.scalar(it, "a size"))));
    } catch (IllegalArgumentException e) {
      reader.problem(value.where() + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<ScriptedXid> xid(YamlValue entry) {
    Map<String, YamlValue> fields = reader.fields(entry, XID_KEYS);
    Duration after =
        optional(fields.get(AFTER))
            .flatMap(it -> valid(it, "a duration such as 30s", Durations::parseGo))
            .orElse(Duration.ZERO);
    return reader
        .required(entry, fields, CODE)
        .flatMap(it -> reader.integer(it, 1, HIGHEST_XID))
        .map(code -> new ScriptedXid(code, after, integer(fields.get(INSTANCE), HIGHEST_INSTANCE)));
  }

  private Optional<ScriptedProcess> process(YamlValue entry) {
    Map<String, YamlValue> fields = reader.fields(entry, PROCESS_KEYS);
    var kind =
        optional(fields.get(KIND))
            .flatMap(it -> valid(it, "compute, mps or graphics", ScriptedProcess.ProcessList::of))
            .orElse(ScriptedProcess.ProcessList.COMPUTE);
    return reader
        .required(entry, fields, PID)
        .flatMap(it -> reader.integer(it, 0, LARGEST))
        .map(
            pid ->
                new ScriptedProcess(
                    pid,
                    integer(fields.get(MEMORY_MIB), LARGEST),
                    integer(fields.get(SM), FULL).orElse(0),
                    kind,
                    integer(fields.get(INSTANCE), HIGHEST_INSTANCE)));
  }
}
