package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names of resources in the config file. Those without a domain get NVIDIA's. */
final class NameReading {
  private static final String RULE =
      "the name of a resource, such as gpu or nvidia.com/gpu: at most 63 letters, digits, '-', '_'"
          + " or '.'";

  private final YamlReader reader;

  NameReading(YamlReader reader) {
    this.reader = reader;
  }

  Optional<NamePattern> pattern(YamlValue place) {
    Map<String, YamlValue> fields = reader.fields(place, List.of("pattern", "name"));
    Optional<String> pattern = reader.required(place, fields, "pattern").flatMap(reader::text);
    Optional<ResourceName> name = reader.required(place, fields, "name").flatMap(this::name);
    return pattern.flatMap(text -> name.map(resource -> new NamePattern(text, resource)));
  }

  Optional<ResourceName> name(YamlValue place) {
    Optional<String> qualified =
        reader.text(place).map(text -> text.contains("/") ? text : ResourceNames.PREFIX + text);
    if (qualified.isPresent() && !ResourceName.isValid(qualified.orElseThrow())) {
      reader.problem(place.mustBe(RULE));
      return Optional.empty();
    }
    return qualified.map(ResourceName::new);
  }
}
