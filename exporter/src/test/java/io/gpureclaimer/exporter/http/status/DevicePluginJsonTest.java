package io.gpureclaimer.exporter.http.status;

import static io.gpureclaimer.exporter.http.status.StatusJsonTest.array;
import static io.gpureclaimer.exporter.http.status.StatusJsonTest.parse;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.allocation.Device;
import io.gpureclaimer.deviceplugin.allocation.DeviceIndex;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.UnhealthyReason;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.LatencyHistogram;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.runtime.CdiWrites;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.deviceplugin.runtime.PluginView;
import io.gpureclaimer.deviceplugin.runtime.RefreshingCache.CachedValue;
import io.gpureclaimer.doctor.Diagnosis;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.exposition.SnapshotView;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
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

class DevicePluginJsonTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final Device FIRST = device(0, "GPU-a");
  private static final Device SECOND = device(1, "GPU-b");
  private static final String FIRST_GPU =
      "{'index':'0','uuid':'GPU-a','resource':'nvidia.com/gpu',";
  private static final String SECOND_GPU =
      "{'index':'1','uuid':'GPU-b','resource':'nvidia.com/gpu',";
  private static final String TRAIN = "{'namespace':'ml','pod':'train-0','container':'main'}";
  private static final Configuration.ActiveConfiguration IN_FORCE =
      new Configuration.ActiveConfiguration("file c.yaml", null, NOON.minusSeconds(90), List.of());
  private static final CdiWrites NO_WRITES = new CdiWrites(0, 0, null);
  private static final CdiReport NO_CDI = new CdiReport(Map.of(), List.of(), List.of());

  @Test
  void reportsWhatEachDeviceIsAllocatedTo_andWhyOneIsUnhealthy() {
    var sick =
        new Condition.Unhealthy(UnhealthyReason.XID, "XID 79: it has fallen off the bus", NOON);

    assertThat(array(json(offered(healthy(), sick), kubelet()), "devices"))
        .containsExactly(
            FIRST_GPU + "'health':'healthy','allocations':[" + TRAIN + "]}",
            SECOND_GPU
                + "'health':'unhealthy','reason':'XID 79: it has fallen off the bus',"
                + "'allocations':[]}");
  }

  @Test
  void reportsUnknownHealth_whenNothingIsKnownOfADevice() {
    var view = new PluginView(IN_FORCE, null, offer(), NO_CDI, NO_WRITES, Map.of());
    var unknown =
        new PluginStatus(
            view, answering(), Map.of(), Optional.empty(), Optional.empty(), false, NOON);

    assertThat(array(json(unknown, kubelet()), "devices"))
        .contains(SECOND_GPU + "'health':'unknown','allocations':[]}");
  }

  @Test
  void reportsWhyAllocationsAreNotKnown_whenTheAgentDoesNotAttribute() {
    assertThat(array(json(offered(healthy(), healthy()), new NotConfigured()), "devices"))
        .contains(
            FIRST_GPU
                + "'health':'healthy','allocationsUnknown':'the kubelet has not answered"
                + " yet'}");
    assertThat(
            array(
                json(
                    held(new PodResourcesListing.Failed("unavailable", "refused")),
                    new NotConfigured()),
                "devices"))
        .contains(FIRST_GPU + "'health':'healthy','allocationsUnknown':'refused'}");
    assertThat(
            array(
                json(held(new PodResourcesListing.Unsupported()), new NotConfigured()), "devices"))
        .contains(
            FIRST_GPU
                + "'health':'healthy','allocationsUnknown':'the kubelet does not report"
                + " them'}");
  }

  private static PluginStatus held(PodResourcesListing listing) {
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
  void reportsEachResource_asTheKubeletWatchesIt() {
    var json = json(offered(healthy(), healthy()), kubelet());

    assertThat(array(json, "resources"))
        .containsExactly(
            "{'name':'nvidia.com/gpu','registered':true,'watchedSince':'2026-11-21T11:59:00Z',"
                + "'devices':2,'healthy':2,'allocations':{'granted':1,'refused':0,'failed':0}}");
    assertThat(array(json, "components"))
        .contains(
            "{'name':'configuration','status':'ok','state':'in force','message':'file c.yaml',"
                + "'since':'2026-11-21T11:58:30Z'}",
            "{'name':'driver','status':'ok','state':'responding'}",
            "{'name':'kubelet','status':'ok','state':'available',"
                + "'message':'the same, 2 devices'}",
            "{'name':'CDI specifications','status':'info','state':'none'}");
  }

  @Test
  void reportsWhyTheKubeletDoesNotWatch() {
    var gone =
        new KubeletState(
            Map.of(GPU, state(1, null, "it refused: the version is not supported")),
            "connection refused: /var/lib/kubelet/device-plugins/kubelet.sock",
            "not asked yet");

    var json = json(underKubelet(offered(healthy(), healthy()), gone), kubelet());

    assertThat(array(json, "resources"))
        .containsExactly(
            "{'name':'nvidia.com/gpu','registered':false,'devices':2,'healthy':1,"
                + "'allocations':{'granted':1,'refused':0,'failed':0},"
                + "'lastError':'it refused: the version is not supported'}");
    assertThat(array(json, "components"))
        .contains(
            "{'name':'kubelet','status':'problem','state':'missing',"
                + "'message':'connection refused: /var/lib/kubelet/device-plugins/kubelet.sock'}");
  }

  @Test
  void reportsWhyTheNewestConfigurationIsNotInForce_andWhatIsIncomplete() {
    var view =
        new PluginView(
            new Configuration.ActiveConfiguration(
                "a100",
                "the Node's label is a100",
                NOON.minusSeconds(90),
                List.of("sharng is no key")),
            "driver not loaded",
            offer(),
            new CdiReport(Map.of(), List.of(), List.of("/var/run/cdi is full")),
            NO_WRITES,
            Map.of(
                "GPU-a",
                new AllocationBlocker(
                    AllocationBlocker.BlockerKind.MPS, "its MPS daemon is down")));

    var json = json(status(view, healthy(), healthy(), answering()), kubelet());

    assertThat(array(json, "components"))
        .containsExactly(
            "{'name':'configuration','status':'problem','state':'refused','message':'a100 (the"
                + " Node\\u0027s label is a100); the newest: sharng is no key',"
                + "'since':'2026-11-21T11:58:30Z'}",
            "{'name':'driver','status':'problem','state':'down','message':'driver not loaded'}",
            "{'name':'kubelet','status':'ok','state':'available',"
                + "'message':'the same, 2 devices'}",
            "{'name':'CDI specifications','status':'problem','state':'incomplete',"
                + "'message':'/var/run/cdi is full'}");
    assertThat(array(json, "devices"))
        .contains(
            FIRST_GPU
                + "'health':'unhealthy','reason':'its MPS daemon is down','allocations':["
                + TRAIN
                + "]}");
  }

  @Test
  void reportsTheChecksOfTheNode_mostUrgentFirst() {
    var found =
        new Diagnosis(
            List.of(
                new Diagnosis.CheckOutcome("GPUs", new Outcome.Ok("8 GPUs")),
                new Diagnosis.CheckOutcome(
                    "kernel module", new Outcome.Problem("nvidia is not loaded", "load it"))));
    var seen = offered(healthy(), healthy());
    var looked =
        new PluginStatus(
            seen.view(),
            answering(),
            seen.conditions(),
            Optional.of(new CachedValue<>(found, NOON.minusSeconds(5))),
            Optional.empty(),
            false,
            NOON);

    var node = json(looked, kubelet()).path("node");

    assertThat(node.path("checkedAt").asText()).isEqualTo("2026-11-21T11:59:55Z");
    assertThat(array(node, "checks"))
        .containsExactly(
            "{'check':'kernel module','outcome':'PROBLEM','found':'nvidia is not loaded',"
                + "'advice':'load it'}",
            "{'check':'GPUs','outcome':'OK','found':'8 GPUs'}");
  }

  @Test
  void isComplete_withoutSampling() {
    var holder = new ContainerDevice("ml", "train-0", "main", "nvidia.com/gpu", "GPU-a");

    var json = json(held(new PodResourcesListing.Listed(List.of(holder))), Optional.empty());

    assertThat(array(json, "devices"))
        .containsExactly(
            FIRST_GPU + "'health':'healthy','allocations':[" + TRAIN + "]}",
            SECOND_GPU + "'health':'healthy','allocations':[]}");
    assertThat(json.path("node").toString()).isEqualTo("{\"simulated\":false}");
  }

  private static JsonNode json(PluginStatus status, SourceState source) {
    return json(status, Optional.of(sampled(source)));
  }

  private static JsonNode json(PluginStatus status, Optional<SnapshotView> sampled) {
    var json = JsonWriter.indented().beginObject();
    DevicePluginJson.write(status, sampled, json);
    return parse(json.endObject().toString()).path("devicePlugin");
  }

  private static PluginStatus underKubelet(PluginStatus status, KubeletState kubelet) {
    return new PluginStatus(
        status.view(),
        kubelet,
        status.conditions(),
        status.check(),
        status.held(),
        status.simulated(),
        status.at());
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

  private static AdvertisedResources offer() {
    var portions =
        List.of(
            new AdvertisedDevice(GPU, FIRST, Sharing.SharingKind.NONE, 1, true),
            new AdvertisedDevice(GPU, SECOND, Sharing.SharingKind.NONE, 1, true));
    return new AdvertisedResources(
        new TreeMap<>(Map.of(GPU, new AdvertisedResource(GPU, portions))), List.of());
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
            new LatencyHistogram(
                Collections.nCopies(LatencyHistogram.BOUNDS.size() + 1, 1L), Duration.ZERO)),
        LatencyHistogram.NONE,
        0,
        lastError);
  }

  private static SnapshotView sampled(SourceState source) {
    var held = Map.of(FIRST.entity(), List.of(new Holder("ml", "train-0", "main", "uid-1")));
    return new SnapshotView(
        new Snapshot(
            NOON, "node-a", new DriverState.Up("570"), List.of(), held, PassReport.NOTHING_ASKED),
        UnmatchedConfig.NOTHING,
        List.of(),
        source,
        Duration.ZERO,
        false);
  }

  private static SourceState kubelet() {
    return new OfKubelet(
        new KubeletContact.Answering(), Map.of(), OptionalInt.empty(), new WatchState.NotEnabled());
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
