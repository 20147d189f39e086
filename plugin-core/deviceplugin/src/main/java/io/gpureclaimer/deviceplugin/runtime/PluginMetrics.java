package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.LatencyHistogram;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Metrics of the device plugin itself: {@code gpu_device_plugin_*}. */
public final class PluginMetrics extends Collector {
  private static final String PREFIX = "gpu_device_plugin_";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final List<String> RESOURCE = List.of("resource");

  private final Supplier<KubeletState> kubelet;
  private final Supplier<PluginView> view;
  private final DeviceHealth health;
  private final Optional<GpuExposure> exposure;

  public PluginMetrics(
      Supplier<KubeletState> kubelet,
      Supplier<PluginView> view,
      DeviceHealth health,
      Optional<GpuExposure> exposure) {
    this.kubelet = kubelet;
    this.view = view;
    this.health = health;
    this.exposure = exposure;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var families = new ArrayList<MetricFamilySamples>();
    var resources = kubelet.get().resources();
    registration(resources, families);
    devices(families);
    requests(resources, families);
    cdi(view.get().cdiWrites(), families);
    families.add(exposed());
    var standing = view.get().configuration();
    families.add(
        new GaugeMetricFamily(
            PREFIX + "config_last_reload_successful",
            "1 if the newest configuration is in use, 0 if an older one or none is.",
            standing.since() != null && standing.problems().isEmpty() ? 1 : 0));
    return families;
  }

  private static void registration(
      Map<?, ResourceState> resources, List<MetricFamilySamples> families) {
    families.add(
        gauge(
            "registered",
            "1 if the kubelet watches the list of devices of the resource, 0 if no "
                + "pod can get any.",
            resources,
            (state, gauge) -> gauge.value(state.watched() ? 1 : 0)));
    families.add(
        gauge(
            "watched_since_timestamp_seconds",
            "Time since which the kubelet watches the list; absent while it does not.",
            resources,
            (state, gauge) -> {
              var since = state.watchedSince();
              if (since != null) {
                gauge.value(since.toEpochMilli() / MILLIS_PER_SECOND);
              }
            }));
    families.add(
        counter(
            "lists_sent",
            "Lists of devices that were sent to the kubelet.",
            resources,
            ResourceState::messages));
    families.add(
        counter(
            "mismatches",
            "Registrations that were repeated because the kubelet's view differed from the offer.",
            resources,
            ResourceState::mismatches));
    var registrations =
        new CounterMetricFamily(
            PREFIX + "registrations",
            "Attempts to register with the kubelet, by result.",
            List.of("resource", "outcome"));
    resources.forEach(
        (name, state) ->
            state
                .registrations()
                .forEach(
                    (outcome, count) ->
                        registrations.addMetric(List.of(name.toString(), label(outcome)), count)));
    families.add(registrations);
  }

  private void devices(List<MetricFamilySamples> families) {
    var offered =
        new GaugeMetricFamily(
            PREFIX + "devices",
            "Devices offered to the kubelet, shares counted each, by whether a pod may get them.",
            List.of("resource", "health"));
    var single =
        new GaugeMetricFamily(
            PREFIX + "device_health",
            "1 if a new pod may get the device, 0 if not, and then why.",
            List.of("resource", "UUID", "reason"));
    var seen = view.get();
    for (AdvertisedResource resource : seen.offer().resources().values()) {
      String name = resource.name().value();
      int healthy = 0;
      int all = 0;
      for (AdvertisedDevice portion : resource.portions()) {
        var blocker = seen.blockers().get(portion.device().uuid());
        boolean good = portion.healthy() && blocker == null;
        all += portion.replicas();
        healthy += good ? portion.replicas() : 0;
        single.addMetric(
            List.of(name, portion.device().uuid(), good ? "" : reason(portion, blocker)),
            good ? 1 : 0);
      }
      offered.addMetric(List.of(name, "healthy"), healthy);
      offered.addMetric(List.of(name, "unhealthy"), all - healthy);
    }
    families.add(offered);
    families.add(single);
  }

  private String reason(AdvertisedDevice portion, @Nullable AllocationBlocker blocker) {
    return switch (health.condition(portion.device().entity())) {
      case Condition.Unhealthy(var reason, _, _) -> reason.code();
      case Condition.Healthy() -> blocker == null ? "layout" : blocker.kind().code();
    };
  }

  private static void requests(
      Map<?, ResourceState> resources, List<MetricFamilySamples> families) {
    families.add(
        counter(
            "preferred",
            "Requests of the kubelet for a preferred allocation.",
            resources,
            state -> state.preferred().count()));
    families.add(preferring(resources));
    var samples = new ArrayList<Sample>();
    resources.forEach(
        (name, state) ->
            state
                .allocations()
                .forEach(
                    (outcome, latencies) ->
                        histogram(
                            PREFIX + "allocation_duration_seconds",
                            List.of("resource", "outcome"),
                            List.of(name.toString(), label(outcome)),
                            latencies,
                            samples)));
    families.add(
        new MetricFamilySamples(
            PREFIX + "allocation_duration_seconds",
            Type.HISTOGRAM,
            "Duration of Allocate requests, by result.",
            samples));
  }

  private static void cdi(CdiWrites writes, List<MetricFamilySamples> families) {
    var counted =
        new CounterMetricFamily(
            PREFIX + "cdi_writes", "Writes of CDI specifications, by result.", List.of("outcome"));
    counted.addMetric(List.of("written"), (double) writes.written());
    counted.addMetric(List.of("failed"), (double) writes.failed());
    families.add(counted);
    var good =
        new GaugeMetricFamily(
            PREFIX + "cdi_last_success_timestamp_seconds",
            "Time at which all CDI specifications were last as they should be; absent if never.",
            List.of());
    var last = writes.lastSuccess();
    if (last != null) {
      good.addMetric(List.of(), last.toEpochMilli() / MILLIS_PER_SECOND);
    }
    families.add(good);
  }

  private GaugeMetricFamily exposed() {
    var exposed =
        new GaugeMetricFamily(
            PREFIX + "gpus_exposed",
            "1 if a container that requests no GPU can see all, 0 if not; absent if that is"
                + " unknown.",
            List.of());
    exposure
        .flatMap(GpuExposure::isOpen)
        .ifPresent(open -> exposed.addMetric(List.of(), open ? 1 : 0));
    return exposed;
  }

  private static MetricFamilySamples preferring(Map<?, ResourceState> resources) {
    String name = PREFIX + "preferred_duration_seconds";
    var samples = new ArrayList<Sample>();
    resources.forEach(
        (resource, state) ->
            histogram(name, RESOURCE, List.of(resource.toString()), state.preferred(), samples));
    return new MetricFamilySamples(
        name, Type.HISTOGRAM, "Time that questions which devices fit best took.", samples);
  }

  private static void histogram(
      String name,
      List<String> names,
      List<String> values,
      LatencyHistogram latencies,
      List<Sample> into) {
    for (int i = 0; i <= LatencyHistogram.BOUNDS.size(); i++) {
      String bound =
          i < LatencyHistogram.BOUNDS.size()
              ? doubleToGoString(seconds(LatencyHistogram.BOUNDS.get(i)))
              : "+Inf";
      into.add(
          new Sample(
              name + "_bucket", and(names, "le"), and(values, bound), latencies.counts().get(i)));
    }
    into.add(new Sample(name + "_count", names, values, latencies.count()));
    into.add(new Sample(name + "_sum", names, values, seconds(latencies.total())));
  }

  private static List<String> and(List<String> texts, String last) {
    return Stream.concat(texts.stream(), Stream.of(last)).toList();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }

  /** One value of a resource, or none. */
  private interface OneValue {
    void value(double value);
  }

  private static GaugeMetricFamily gauge(
      String name,
      String help,
      Map<?, ResourceState> resources,
      BiConsumer<ResourceState, OneValue> add) {
    var family = new GaugeMetricFamily(PREFIX + name, help, RESOURCE);
    resources.forEach(
        (resource, state) ->
            add.accept(state, value -> family.addMetric(List.of(resource.toString()), value)));
    return family;
  }

  private static CounterMetricFamily counter(
      String name,
      String help,
      Map<?, ResourceState> resources,
      ToLongFunction<ResourceState> count) {
    var family = new CounterMetricFamily(PREFIX + name, help, RESOURCE);
    resources.forEach(
        (resource, state) ->
            family.addMetric(List.of(resource.toString()), (double) count.applyAsLong(state)));
    return family;
  }

  private static String label(Enum<?> outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
