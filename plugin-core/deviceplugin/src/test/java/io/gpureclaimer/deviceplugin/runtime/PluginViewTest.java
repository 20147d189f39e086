package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.Device;
import io.gpureclaimer.deviceplugin.allocation.DeviceIndex;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PluginViewTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final CdiOutcome CUT_OFF = new CdiOutcome.FolderDeleted("the folder is gone");
  private static final CdiOutcome FULL = new CdiOutcome.Failed("the disk is full");

  @Test
  void wantsANewContainer_whenNoRuntimeSeesWhatItWrites() {
    assertThat(view(CUT_OFF, Sharing.SharingKind.NONE).beyondHelp()).contains("the folder is gone");
  }

  @Test
  void wantsNone_whenWritingMaySucceedLater() {
    assertThat(view(FULL, Sharing.SharingKind.NONE).beyondHelp()).isEmpty();
  }

  @Test
  void wantsNone_whileDaemonsOfMpsWouldEndWithThisOne() {
    assertThat(view(CUT_OFF, Sharing.SharingKind.MPS).beyondHelp()).isEmpty();
  }

  private static PluginView view(CdiOutcome outcome, Sharing.SharingKind sharing) {
    int replicas = sharing == Sharing.SharingKind.NONE ? 1 : 2;
    var resource =
        new AdvertisedResource(
            GPU, List.of(new AdvertisedDevice(GPU, device(), sharing, replicas, true)));
    return new PluginView(
        new Configuration.ActiveConfiguration("config.yaml", null, Instant.EPOCH, List.of()),
        null,
        new AdvertisedResources(new TreeMap<>(Map.of(GPU, resource)), List.of()),
        new CdiReport(Map.of(Path.of("/run/cdi/nvidia.json"), outcome), List.of(), List.of()),
        CdiWrites.NONE,
        Map.of());
  }

  private static Device device() {
    String uuid = "GPU-00000000-0000-0000-0000-000000000000";
    return new Device(
        uuid,
        new DeviceIndex(0, null),
        Entity.whole(new GpuUuid(uuid)),
        null,
        List.of(),
        null,
        null,
        null);
  }
}
