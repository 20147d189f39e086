package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.deviceplugin.kubelet.FakeDeviceManager;
import io.gpureclaimer.deviceplugin.kubelet.FakeKubelet;
import io.gpureclaimer.exporter.faults.ActualNode.ActualGpu;
import io.gpureclaimer.exporter.faults.ActualNode.CountersCondition;
import io.gpureclaimer.exporter.faults.ActualNode.DriverCondition;
import io.gpureclaimer.exporter.faults.ActualNode.GpuCondition;
import io.gpureclaimer.exporter.faults.ActualNode.Kubelet;
import io.gpureclaimer.exporter.faults.ActualNode.MigDivision;
import io.gpureclaimer.nvml.NvmlStub;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import v1.Api.PodResources;

/** A driver, a kubelet and a counters file that do what the world says, and remember it. */
final class FaultyNodeSimulation implements AutoCloseable {
  private static final int XID = 0x8;
  private static final int DIVIDED = 0x100;
  private static final int DRIVER_NOT_LOADED = 9;
  private static final int GPU_IS_LOST = 15;
  private static final int UNKNOWN = 999;
  private static final int SUCCESS = 0;
  private static final int NOT_SUPPORTED = 3;
  private static final String UTILIZATION = "nvmlDeviceGetUtilizationRates";
  private static final String POWER = "nvmlDeviceGetPowerUsage";

  private static final String WORK =
      """
      DCGM_FI_DEV_GPU_UTIL, gauge, util
      DCGM_FI_PROF_GR_ENGINE_ACTIVE, gauge, engines
      """;

  private final NvmlStub stub;
  private final FakeKubelet kubelet;
  private final FakeDeviceManager devices;
  private final Path socket;
  private final Path counters;
  private final NodeHistory history = new NodeHistory();
  private final List<ReportedXid> xids = new ArrayList<>();
  private Instant begun = Instant.EPOCH;
  private boolean unloaded;

  /** An XID that the driver reported. */
  record ReportedXid(int gpu, int code, Instant at) {}

  FaultyNodeSimulation(Path folder) throws IOException {
    stub = NvmlStub.build(folder);
    stub.control().stub_reset(ActualNode.GPUS);
    socket = folder.resolve("kubelet.sock");
    kubelet = new FakeKubelet(socket);
    devices = new FakeDeviceManager(Files.createDirectory(folder.resolve("device-plugins")));
    counters = folder.resolve("counters.csv");
    var first =
        new ActualNode(
            Collections.nCopies(
                ActualNode.GPUS + MigDivision.PARTS,
                new ActualGpu(1_000, 0, GpuCondition.NONE, Set.of())),
            MigDivision.WHOLE,
            DriverCondition.LOADED,
            Kubelet.ANSWERS,
            CountersCondition.WITH_POWER);
    var now = Instant.now();
    kubelet.start();
    devices.start();
    kubelet.allocatable(devices::healthy);
    write(first.counters());
    stub.control().stub_number("nvmlGpmQueryDeviceSupport", ActualNode.DIVISIBLE, 0, 1);
    showAll(first);
    reportPods(first);
    history.add(now, Instant.now(), first);
  }

  Path library() {
    return stub.library();
  }

  Path socket() {
    return socket;
  }

  Path deviceManager() {
    return devices.socket();
  }

  /** The GPUs that the kubelet would give to a pod now. */
  Set<String> healthy() {
    return devices.healthy("nvidia.com/gpu");
  }

  Path counters() {
    return counters;
  }

  NodeHistory history() {
    return history;
  }

  List<ReportedXid> xids() {
    return List.copyOf(xids);
  }

  ActualNode now() {
    return history.last();
  }

  /** An agent begins that knows nothing of what was before. */
  void begin() {
    xids.clear();
    begun = Instant.now();
  }

  /** Since when the agent runs that is running. */
  Instant begun() {
    return begun;
  }

  /** An XID of that GPU. */
  void report(int gpu, int code) {
    xids.add(new ReportedXid(gpu, code, Instant.now()));
    stub.control().stub_event(gpu, XID, code, 0);
  }

  /** From now on the world is like that; {@code otherwise} is what it needs in addition. */
  void become(ActualNode next, Runnable otherwise) {
    var before = now();
    var began = Instant.now();
    if (next.driver() != before.driver()) {
      load(next);
    }
    if (next.division() != before.division()) {
      divide(next.division());
      show(next, ActualNode.DIVISIBLE);
    }
    for (int device = 0; device < next.cards().size(); device++) {
      if (!next.cards().get(device).equals(before.cards().get(device))) {
        show(next, device);
      }
    }
    if (next.counters() != before.counters()) {
      write(next.counters());
    }
    if (next.kubelet() != before.kubelet()) {
      switch (next.kubelet()) {
        case ANSWERS, HANGS, REFUSES -> {
          if (before.kubelet() == Kubelet.GONE) {
            kubelet.start();
            devices.start();
          }
        }
        case GONE -> {
          kubelet.stop();
          devices.stop();
        }
      }
    }
    reportPods(next);
    otherwise.run();
    history.add(began, Instant.now(), next);
  }

  /** Lets every call go that hangs. */
  @Override
  public void close() {
    stub.control().stub_release();
    kubelet.close();
    devices.close();
  }

  private void load(ActualNode next) {
    unloaded = next.driver() == DriverCondition.UNLOADED;
    stub.control().stub_fail_all(NvmlStub.ALL_GPUS, unloaded ? DRIVER_NOT_LOADED : SUCCESS);
    showAll(next);
  }

  private void showAll(ActualNode world) {
    for (int device = 0; device < world.cards().size(); device++) {
      show(world, device);
    }
  }

  /** Each part has a number of its own, as long as the node runs. */
  private void divide(MigDivision division) {
    var driver = stub.control();
    driver.stub_undivide();
    int slot = 0;
    for (int part : division.parts().toArray()) {
      driver.stub_mig_device(ActualNode.DIVISIBLE, slot++, instance(part), 0, 2, 20_480);
    }
    driver.stub_mig_mode(ActualNode.DIVISIBLE, division == MigDivision.WHOLE ? 0 : 1, slot);
    driver.stub_event(ActualNode.DIVISIBLE, DIVIDED, 0, 0);
  }

  private static int instance(int part) {
    return part - ActualNode.DIVISIBLE;
  }

  private void show(ActualNode world, int device) {
    var card = world.cards().get(device);
    if (ActualNode.isPart(device)) {
      stub.control().stub_activity(ActualNode.DIVISIBLE, instance(device), card.percent());
    } else {
      show(device, card, world.division());
    }
  }

  private void show(int gpu, ActualGpu card, MigDivision division) {
    var driver = stub.control();
    boolean divided = gpu == ActualNode.DIVISIBLE && division != MigDivision.WHOLE;
    if (gpu == ActualNode.DIVISIBLE) {
      driver.stub_activity(gpu, -1, card.percent());
    }
    driver.stub_sensors(gpu, 40, card.milliwatts(), 0);
    driver.stub_load(gpu, card.percent(), card.percent());
    if (!unloaded) {
      driver.stub_fail_all(
          gpu,
          switch (card.fault()) {
            case LOST -> GPU_IS_LOST;
            case SICK -> UNKNOWN;
            case NONE, HANGS, REMOVED, NO_UTILIZATION, NO_POWER -> SUCCESS;
          });
    }
    driver.stub_remove(gpu, card.fault() == GpuCondition.REMOVED ? 1 : 0);
    driver.stub_fail(
        UTILIZATION,
        gpu,
        divided ? NOT_SUPPORTED : card.fault() == GpuCondition.NO_UTILIZATION ? UNKNOWN : SUCCESS);
    driver.stub_fail(POWER, gpu, card.fault() == GpuCondition.NO_POWER ? UNKNOWN : SUCCESS);
    if (card.fault() == GpuCondition.HANGS) {
      driver.stub_hang(POWER, gpu);
    } else {
      driver.stub_unhang(POWER, gpu);
    }
  }

  private void write(CountersCondition which) {
    String text =
        switch (which) {
          case WITH_POWER -> WORK + "DCGM_FI_DEV_POWER_USAGE, gauge, power\n";
          case WITHOUT_POWER -> WORK;
          case BROKEN -> WORK + "DCGM_FI_DEV_POWER_USAGE, gaudy, power\n";
        };
    try {
      var written = Files.writeString(counters.resolveSibling("next.csv"), text);
      Files.move(written, counters, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void reportPods(ActualNode world) {
    switch (world.kubelet()) {
      case ANSWERS -> kubelet.run(pods(world));
      case REFUSES -> kubelet.refuse(Status.UNAVAILABLE);
      case HANGS -> kubelet.hang();
      case GONE -> {}
    }
  }

  private static PodResources[] pods(ActualNode world) {
    Map<String, List<String>> devices = new TreeMap<>();
    for (int device = 0; device < world.cards().size(); device++) {
      var pods = new TreeSet<>(world.cards().get(device).pods());
      int share = 0;
      for (String pod : pods) {
        String id = id(device) + (pods.size() == 1 ? "" : "::" + share++);
        devices.computeIfAbsent(pod, _ -> new ArrayList<>()).add(id);
      }
    }
    return devices.entrySet().stream()
        .map(pod -> FakeKubelet.pod("ml", pod.getKey(), pod.getValue().toArray(new String[0])))
        .toArray(PodResources[]::new);
  }

  private static String id(int device) {
    return ActualNode.isPart(device)
        ? "MIG-00000000-1111-2222-000"
            + ActualNode.DIVISIBLE
            + "-000"
            + instance(device)
            + "00000000"
        : uuid(device);
  }

  static String uuid(int gpu) {
    return "GPU-00000000-1111-2222-3333-00000000000" + gpu;
  }
}
