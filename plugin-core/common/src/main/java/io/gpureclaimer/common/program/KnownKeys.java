package io.gpureclaimer.common.program;

import io.gpureclaimer.common.vocabulary.EditDistance;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The properties that a program's config records are bound from. A key under one of their prefixes
 * that none of them knows is a mistake in a configuration file or a system property. Environment
 * variables are not checked: any program may use their names.
 */
public final class KnownKeys {
  private final Set<String> keys;
  private final Set<String> maps;
  private final Set<String> prefixes;

  private KnownKeys(Set<String> keys, Set<String> maps) {
    this.keys = keys;
    this.maps = maps;
    this.prefixes = keys.stream().map(KnownKeys::prefix).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Reads them from the records, of which there is one for each prefix.
   *
   * @param configuration the package of the records
   */
  public static KnownKeys of(BeanContext beans, String configuration) {
    var keys = new TreeSet<String>();
    var maps = new TreeSet<String>();
    for (BeanDefinition<?> definition : beans.getAllBeanDefinitions()) {
      if (definition.getBeanType().getPackageName().equals(configuration)) {
        definition
            .stringValue(ConfigurationProperties.class)
            .ifPresent(
                prefix ->
                    Arrays.stream(definition.getConstructor().getArguments())
                        .forEach(
                            part ->
                                (Map.class.isAssignableFrom(part.getType()) ? maps : keys)
                                    .add(key(prefix, part))));
      }
    }
    return new KnownKeys(keys, maps);
  }

  private static String key(String prefix, Argument<?> part) {
    return prefix + "." + NameUtils.hyphenate(part.getName(), true);
  }

  /** The keys of a map are chosen by the user. */
  private boolean isKnown(String key) {
    return keys.contains(key)
        || maps.contains(key)
        || maps.stream().anyMatch(map -> key.startsWith(map + "."));
  }

  /**
   * Checks every key that was given.
   *
   * @throws IllegalArgumentException in one line, which names the key, where it is, and what was
   *     probably meant
   */
  public void check(Environment environment) {
    for (PropertySource source : environment.getPropertySources()) {
      if (source.getConvention() == PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE) {
        continue;
      }
      for (String key : source) {
        String spelled = NameUtils.hyphenate(withoutIndex(key), true);
        if (prefixes.contains(prefix(spelled)) && !isKnown(spelled)) {
          throw new IllegalArgumentException(refusal(key, source));
        }
      }
    }
  }

  private static String prefix(String key) {
    int dot = key.indexOf('.');
    return dot < 0 ? key : key.substring(0, dot);
  }

  /** An element of a list is given as {@code key[0]}. */
  private static String withoutIndex(String key) {
    int bracket = key.indexOf('[');
    return bracket < 0 ? key : key.substring(0, bracket);
  }

  private String refusal(String key, PropertySource source) {
    Optional<String> nearest =
        keys.stream().min(Comparator.comparingInt(known -> EditDistance.of(key, known)));
    return "unknown property "
        + key
        + " in "
        + source.getName()
        + nearest.map(known -> "; did you mean " + known + "?").orElse("");
  }
}
