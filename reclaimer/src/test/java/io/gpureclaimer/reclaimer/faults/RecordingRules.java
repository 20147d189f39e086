package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The recording rules that are shipped, as a Prometheus evaluates them: in order, at one time. */
final class RecordingRules {
  private static final Path FILE = Path.of("../deploy/rules/recording.yaml");

  static final String LAST_ACTIVE = "gpu_reclaimer:device_last_active:timestamp_seconds";

  private final List<Rule> rules;

  /** One rule. */
  private record Rule(String name, String expression) {}

  private RecordingRules(List<Rule> rules) {
    this.rules = rules;
  }

  static RecordingRules shipped() {
    try {
      Map<String, List<Map<String, List<Map<String, String>>>>> file =
          new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FILE));
      return new RecordingRules(
          of(file, "groups").stream()
              .flatMap(group -> of(group, "rules").stream())
              .map(rule -> new Rule(of(rule, "record"), of(rule, "expr")))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T of(Map<String, T> map, String key) {
    return Objects.requireNonNull(map.get(key), key);
  }

  /**
   * Stores what follows from what is stored.
   *
   * @param dropped what is not stored
   */
  void evaluate(SampleStorage storage, long atMillis, Set<String> dropped) {
    for (Rule rule : rules) {
      List<ExpositionSample> samples =
          dropped.contains(rule.name())
              ? List.of()
              : PromQlEvaluator.at(storage, atMillis, rule.expression()).stream()
                  .map(element -> named(rule.name(), element))
                  .toList();
      storage.recorded(rule.name(), samples, atMillis);
    }
  }

  private static ExpositionSample named(String name, Element element) {
    Map<String, String> labels = new HashMap<>(element.labels());
    labels.put("__name__", name);
    return new ExpositionSample(LabelSet.of(labels), element.value());
  }
}
