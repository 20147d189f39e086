package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.vocabulary.ResourceNames;
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

  Optional<NamePattern> pattern(YamlPlace place) {
    Map<String, YamlPlace> fields = reader.fields(place, List.of("pattern", "name"));
    Optional<String> pattern = required(place, fields, "pattern").flatMap(reader::text);
    Optional<ResourceName> name = required(place, fields, "name").flatMap(this::name);
    return pattern.flatMap(text -> name.map(resource -> new NamePattern(text, resource)));
  }

  Optional<YamlPlace> required(YamlPlace place, Map<String, YamlPlace> fields, String key) {
    Optional<YamlPlace> value = Optional.ofNullable(fields.get(key));
    if (value.isEmpty()) {
      reader.problem(place.where() + '.' + key + " must be given, was not");
    }
    return value;
  }

  Optional<ResourceName> name(YamlPlace place) {
    Optional<String> qualified =
        reader.text(place).map(text -> text.contains("/") ? text : ResourceNames.PREFIX + text);
    if (qualified.isPresent() && !ResourceName.isValid(qualified.orElseThrow())) {
      reader.problem(place.mustBe(RULE));
      return Optional.empty();
    }
    return qualified.map(ResourceName::new);
  }
}
