package io.gpureclaimer.exporter.config;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Stops the start when a configuration file or a system property has a key under our prefixes that
 * we do not know. Environment variables are not looked at: their names are everybody's.
 */
@Context
final class KnownKeys {
  private static final String OURS = KnownKeys.class.getPackageName();

  KnownKeys(BeanContext beans, Environment environment) {
    Set<String> known = known(beans);
    Set<String> prefixes =
        known.stream().map(KnownKeys::prefix).collect(Collectors.toCollection(TreeSet::new));
    for (PropertySource source : environment.getPropertySources()) {
      if (source.getConvention() == PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE) {
        continue;
      }
      for (String key : source) {
        String spelled = NameUtils.hyphenate(key, true);
        if (prefixes.contains(prefix(spelled)) && !known.contains(spelled)) {
          throw new IllegalArgumentException(refusal(key, source, known));
        }
      }
    }
  }

  private static Set<String> known(BeanContext beans) {
    var known = new TreeSet<String>();
    for (BeanDefinition<?> definition : beans.getAllBeanDefinitions()) {
      if (definition.getBeanType().getPackageName().equals(OURS)) {
        definition
            .stringValue(ConfigurationProperties.class)
            .ifPresent(
                prefix ->
                    Arrays.stream(definition.getConstructor().getArguments())
                        .map(Argument::getName)
                        .map(name -> prefix + "." + NameUtils.hyphenate(name, true))
                        .forEach(known::add));
      }
    }
    return known;
  }

  private static String prefix(String key) {
    int dot = key.indexOf('.');
    return dot < 0 ? key : key.substring(0, dot);
  }

  private static String refusal(String key, PropertySource source, Set<String> known) {
    Optional<String> nearest =
        known.stream().min(Comparator.comparingInt(candidate -> EditDistance.of(key, candidate)));
    return "unknown property "
        + key
        + " in "
        + source.getName()
        + nearest.map(candidate -> "; did you mean " + candidate + "?").orElse("");
  }
}
