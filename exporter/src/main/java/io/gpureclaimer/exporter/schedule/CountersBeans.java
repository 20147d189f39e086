package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.pass.CollectionPlan;
import io.gpureclaimer.exporter.collect.pass.TextFields;
import io.gpureclaimer.exporter.config.ActivityConfig;
import io.gpureclaimer.exporter.config.CountersConfig;
import io.gpureclaimer.exporter.config.KubernetesConfig;
import io.gpureclaimer.exporter.counters.BuiltInCounters;
import io.gpureclaimer.exporter.counters.CountersFile;
import io.gpureclaimer.exporter.counters.CountersGrammar;
import io.gpureclaimer.exporter.counters.CountersSource;
import io.gpureclaimer.exporter.counters.CountersWatch;
import io.gpureclaimer.exporter.counters.CurrentCounters;
import io.gpureclaimer.exporter.counters.MetricNaming;
import io.gpureclaimer.exporter.counters.kubernetes.CountersConfigMap;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Beans that decide which fields are served. */
@Factory
final class CountersBeans {

  /** In the context from the start: a bad file stops it. */
  @Context
  CountersWatch countersWatch(
      CountersConfig counters,
      KubernetesConfig kubernetes,
      ActivityConfig activity,
      List<Collector> collectors,
      Clock clock) {
    var vocabulary = MetricNaming.named(counters.vocabulary()).orElseThrow();
    return CountersWatch.begin(
        source(counters, vocabulary, kubernetes),
        new CountersGrammar(vocabulary, CollectionPlan.supported(collectors), TextFields.numbers()),
        alwaysAsked(activity),
        clock);
  }

  @Singleton
  CurrentCounters counters(CountersWatch watch) {
    return watch.current();
  }

  private static CountersSource source(
      CountersConfig counters, MetricNaming vocabulary, KubernetesConfig kubernetes) {
    var file = counters.file();
    var configMap = counters.configMap();
    if (configMap != null) {
      int colon = configMap.indexOf(':');
      return CountersConfigMap.of(
          configMap.substring(0, colon), configMap.substring(colon + 1), kubernetes.connection());
    }
    return file == null ? new BuiltInCounters(vocabulary) : CountersFile.of(file, vocabulary);
  }

  /** What the ledger and the status need. */
  private static Set<DcgmField> alwaysAsked(ActivityConfig activity) {
    var fields = new HashSet<>(activity.asSigns().fields());
    for (BoardSignal signal : BoardSignal.values()) {
      fields.addAll(signal.fields());
    }
    fields.add(DcgmField.DEV_FB_TOTAL);
    fields.add(DcgmField.DEV_ECC_DBE_VOL_TOTAL);
    return fields;
  }
}
