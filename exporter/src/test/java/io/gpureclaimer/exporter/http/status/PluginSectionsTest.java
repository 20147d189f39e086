package io.gpureclaimer.exporter.http.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.Device;
import io.gpureclaimer.deviceplugin.allocation.DeviceIndex;
import io.gpureclaimer.deviceplugin.allocation.Obstacle;
import io.gpureclaimer.deviceplugin.allocation.Offer;
import io.gpureclaimer.deviceplugin.allocation.OfferedResource;
import io.gpureclaimer.deviceplugin.allocation.Portion;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.Reason;
import io.gpureclaimer.deviceplugin.kubelet.HeldDevice;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.Latencies;
import io.gpureclaimer.deviceplugin.kubelet.Listing;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.runtime.CdiWrites;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.NodeCheck;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.deviceplugin.runtime.PluginView;
import io.gpureclaimer.doctor.Diagnosis;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.exporter.attribution.PodRegister.Watch;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.Contact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PluginSectionsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final Device FIRST = device(0, "GPU-a");
  private static final Device SECOND = device(1, "GPU-b");
  private static final Configuration.Standing IN_FORCE =
      new Configuration.Standing("file c.yaml", null, NOON.minusSeconds(90), List.of());
  private static final CdiWrites NO_WRITES = new CdiWrites(0, 0, null);
  private static final CdiReport NO_CDI = new CdiReport(Map.of(), List.of(), List.of());

  @Test
  void showsWhoHoldsWhatIsOffered_andWhyADeviceIsNot() {
    var sick = new Condition.Unhealthy(Reason.XID, "XID 79: it has fallen off the bus", NOON);

    assertThat(page(offered(healthy(), sick), answering(), kubelet()))
        .contains(
            "<td>0 GPU-a</td><td>nvidia.com/gpu</td><td>–</td><td class=\"good\">yes</td>"
                + "<td>ml/train-0 (main)</td>",
            "<td>1 GPU-b</td><td>nvidia.com/gpu</td><td>–</td>"
                + "<td class=\"bad\">no: XID 79: it has fallen off the bus</td><td>nobody</td>");
  }

  @Test
  void asksTheKubeletItself_whereNobodyElseDoes() {
    assertThat(page(offered(healthy(), healthy()), answering(), new NotConfigured()))
        .contains("<td class=\"good\">yes</td><td>being asked</td>");
    assertThat(page(held(new Listing.Failed("unavailable", "nobody listens")), new NotConfigured()))
        .contains("<td class=\"good\">yes</td><td>not known: nobody listens</td>");
    assertThat(page(held(new Listing.Unsupported()), new NotConfigured()))
        .contains("<td class=\"good\">yes</td><td>the kubelet does not tell</td>");
  }

  private static PluginStatus held(Listing listing) {
    var seen = offered(healthy(), healthy());
    return new PluginStatus(
        seen.view(),
        seen.kubelet(),
        seen.conditions(),
        Optional.empty(),
        Optional.of(listing),
        false,
        NOON);
  }

  @Test
  void saysHowEachResourceStandsWithTheKubelet() {
    assertThat(page(offered(healthy(), healthy()), answering(), kubelet()))
        .contains(
            "<td>nvidia.com/gpu</td><td class=\"good\">watches for 1 min 0 s</td>"
                + "<td>2 of 2 healthy</td><td>1 granted, 0 refused, 0 failed</td><td>–</td>",
            "<td>kubelet</td><td class=\"good\">there</td>" + "<td>the same, 2 devices</td>");
  }

  @Test
  void saysWhyTheKubeletDoesNotWatch() {
    var gone =
        new KubeletState(
            Map.of(GPU, state(1, null, "it refused: the version is not supported")),
            "nobody listens on /var/lib/kubelet/device-plugins/kubelet.sock",
            "not asked yet");

    assertThat(page(offered(healthy(), healthy()), gone, kubelet()))
        .contains(
            "<td class=\"bad\">not registered</td><td class=\"bad\">1 of 2 healthy</td>",
            "<td>it refused: the version is not supported</td>",
            "<td>kubelet</td><td class=\"bad\">missing</td>"
                + "<td>nobody listens on /var/lib/kubelet/device-plugins/kubelet.sock</td>");
  }

  @Test
  void saysWhyTheNewestConfigurationIsNotInForce_andWhatIsHeldBack() {
    var view =
        new PluginView(
            new Configuration.Standing(
                "a100",
                "the Node's label is a100",
                NOON.minusSeconds(90),
                List.of("sharng is no key")),
            "driver not loaded",
            offer(),
            new CdiReport(Map.of(), List.of(), List.of("/var/run/cdi is full")),
            NO_WRITES,
            Map.of("GPU-a", new Obstacle(Obstacle.Kind.MPS, "its MPS daemon is down")));

    assertThat(page(status(view, healthy(), healthy(), answering()), kubelet()))
        .contains(
            "<td>configuration</td><td class=\"bad\">refused</td>"
                + "<td>a100, in force for 1 min 30 s (the Node's label is a100); the newest: sharng is no key</td>",
            "<td>driver</td><td class=\"bad\">down</td><td>driver not loaded</td>",
            "<td>CDI specifications</td><td class=\"bad\">not whole</td>"
                + "<td>/var/run/cdi is full</td>",
            "<td class=\"bad\">no: its MPS daemon is down</td>");
  }

  @Test
  void saysWhatIsWrongWithTheNode_theWorstFirst() {
    var found =
        new Diagnosis(
            List.of(
                new Diagnosis.Examined("GPUs", new Outcome.Ok("8 GPUs")),
                new Diagnosis.Examined(
                    "kernel module", new Outcome.Problem("nvidia is not loaded", "load it"))));
    var seen = offered(healthy(), healthy());
    var looked =
        new PluginStatus(
            seen.view(),
            answering(),
            seen.conditions(),
            Optional.of(new NodeCheck.Examined(found, NOON.minusSeconds(5))),
            Optional.empty(),
            false,
            NOON);

    assertThat(page(looked, kubelet()))
        .contains(
            "<td>kernel module</td><td class=\"bad\">problem</td><td>nvidia is not loaded</td>"
                + "<td>load it</td></tr>\n<tr><td>GPUs</td><td class=\"good\">well</td>"
                + "<td>8 GPUs</td><td></td>",
            "<p>Looked at 5 s ago.</p>");
  }

  @Test
  void isWholeWithoutSampling() {
    var page = new Html();
    var holder = new HeldDevice("ml", "train-0", "main", "nvidia.com/gpu", "GPU-a");
    PluginSections.write(held(new Listing.Listed(List.of(holder))), Optional.empty(), page);

    assertThat(page.end())
        .contains("<td>0 GPU-a</td>")
        .contains("<td class=\"good\">yes</td><td>ml/train-0 (main)</td>")
        .contains("<td class=\"good\">yes</td><td>nobody</td>")
        .contains("<p>Being looked at.</p>");
  }

  private static String page(PluginStatus seen, KubeletState kubelet, SourceState source) {
    return page(
        new PluginStatus(
            seen.view(), kubelet, seen.conditions(), Optional.empty(), seen.held(), false, NOON),
        source);
  }

  private static String page(PluginStatus seen, SourceState source) {
    var page = new Html();
    PluginSections.write(seen, Optional.of(sampled(source)), page);
    return page.end();
  }

  private static PluginStatus offered(Condition first, Condition second) {
    var view = new PluginView(IN_FORCE, null, offer(), NO_CDI, NO_WRITES, Map.of());
    return status(view, first, second, answering());
  }

  private static PluginStatus status(
      PluginView view, Condition first, Condition second, KubeletState kubelet) {
    return new PluginStatus(
        view,
        kubelet,
        Map.of(FIRST.entity(), first, SECOND.entity(), second),
        Optional.empty(),
        Optional.empty(),
        false,
        NOON);
  }

  private static Offer offer() {
    var portions =
        List.of(
            new Portion(GPU, FIRST, Sharing.Kind.NONE, 1, true),
            new Portion(GPU, SECOND, Sharing.Kind.NONE, 1, true));
    return new Offer(new TreeMap<>(Map.of(GPU, new OfferedResource(GPU, portions))), List.of());
  }

  private static Condition healthy() {
    return new Condition.Healthy();
  }

  private static KubeletState answering() {
    return new KubeletState(
        Map.of(GPU, state(2, NOON.minusSeconds(60), null)), null, "the same, 2 devices");
  }

  private static ResourceState state(
      int healthy, @Nullable Instant watchedSince, @Nullable String lastError) {
    return new ResourceState(
        2,
        healthy,
        "a.sock",
        watchedSince != null,
        watchedSince,
        1,
        Map.of(),
        Map.of(
            AllocationOutcome.GRANTED,
            new Latencies(Collections.nCopies(Latencies.BOUNDS.size() + 1, 1L), Duration.ZERO)),
        Latencies.NONE,
        0,
        lastError);
  }

  private static Shown sampled(SourceState source) {
    var held = Map.of(FIRST.entity(), List.of(new Holder("ml", "train-0", "main", "uid-1")));
    return new Shown(
        new Snapshot(
            NOON, "node-a", new DriverState.Up("570"), List.of(), held, PassReport.NOTHING_ASKED),
        new CounterSet(List.of(), List.of(), List.of()),
        List.of(),
        source,
        Duration.ZERO,
        false);
  }

  private static SourceState kubelet() {
    return new OfKubelet(
        new Contact.Answering(), Map.of(), OptionalInt.empty(), new Watch.NotAsked());
  }

  private static Device device(int index, String uuid) {
    return new Device(
        uuid,
        new DeviceIndex(index, null),
        Entity.whole(new GpuUuid(uuid)),
        null,
        List.of(),
        null,
        null,
        null);
  }
}
