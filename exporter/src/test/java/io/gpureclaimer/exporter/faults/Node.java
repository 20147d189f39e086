package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.core.kubelet.FakeDeviceManager;
import io.gpureclaimer.core.kubelet.FakeKubelet;
import io.gpureclaimer.core.nvml.NvmlStub;
import io.gpureclaimer.exporter.faults.World.Card;
import io.gpureclaimer.exporter.faults.World.Counters;
import io.gpureclaimer.exporter.faults.World.Driver;
import io.gpureclaimer.exporter.faults.World.Fault;
import io.gpureclaimer.exporter.faults.World.Kubelet;
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
final class Node implements AutoCloseable {
  static final int GPUS = 4;

  private static final int XID = 0x8;
  private static final int DRIVER_NOT_LOADED = 9;
  private static final int GPU_IS_LOST = 15;
  private static final int UNKNOWN = 999;
  private static final int SUCCESS = 0;
  private static final String UTILIZATION = "nvmlDeviceGetUtilizationRates";
  private static final String POWER = "nvmlDeviceGetPowerUsage";

  private final NvmlStub stub;
  private final FakeKubelet kubelet;
  private final FakeDeviceManager devices;
  private final Path socket;
  private final Path counters;
  private final History history = new History();
  private final List<Heard> xids = new ArrayList<>();
  private Instant begun = Instant.EPOCH;
  private boolean unloaded;

  /** An XID that the driver told. */
  record Heard(int gpu, int code, Instant at) {}

  Node(Path folder) throws IOException {
    stub = NvmlStub.build(folder);
    stub.control().stub_reset(GPUS);
    socket = folder.resolve("kubelet.sock");
    kubelet = new FakeKubelet(socket);
    devices = new FakeDeviceManager(Files.createDirectory(folder.resolve("device-plugins")));
    counters = folder.resolve("counters.csv");
    var first =
        new World(
            Collections.nCopies(GPUS, new Card(1_000, 0, Fault.NONE, Set.of())),
            Driver.LOADED,
            Kubelet.ANSWERS,
            Counters.WITH_POWER);
    var now = Instant.now();
    kubelet.start();
    devices.start();
    kubelet.allocatable(devices::healthy);
    write(first.counters());
    for (int gpu = 0; gpu < GPUS; gpu++) {
      show(gpu, first.gpus().get(gpu));
    }
    tellPods(first);
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

  History history() {
    return history;
  }

  List<Heard> xids() {
    return List.copyOf(xids);
  }

  World now() {
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
  void tell(int gpu, int code) {
    xids.add(new Heard(gpu, code, Instant.now()));
    stub.control().stub_event(gpu, XID, code, 0);
  }

  /** From now on the world is like that; {@code otherwise} is what it takes besides. */
  void become(World next, Runnable otherwise) {
    var before = now();
    var began = Instant.now();
    if (next.driver() != before.driver()) {
      load(next);
    }
    for (int gpu = 0; gpu < GPUS; gpu++) {
      var card = next.gpus().get(gpu);
      if (!card.equals(before.gpus().get(gpu))) {
        show(gpu, card);
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
    tellPods(next);
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

  private void load(World next) {
    unloaded = next.driver() == Driver.UNLOADED;
    stub.control().stub_fail_all(NvmlStub.ALL_GPUS, unloaded ? DRIVER_NOT_LOADED : SUCCESS);
    for (int gpu = 0; gpu < GPUS; gpu++) {
      show(gpu, next.gpus().get(gpu));
    }
  }

  private void show(int gpu, Card card) {
    var driver = stub.control();
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
    driver.stub_remove(gpu, card.fault() == Fault.REMOVED ? 1 : 0);
    driver.stub_fail(UTILIZATION, gpu, card.fault() == Fault.NO_UTILIZATION ? UNKNOWN : SUCCESS);
    driver.stub_fail(POWER, gpu, card.fault() == Fault.NO_POWER ? UNKNOWN : SUCCESS);
    if (card.fault() == Fault.HANGS) {
      driver.stub_hang(POWER, gpu);
    } else {
      driver.stub_unhang(POWER, gpu);
    }
  }

  private void write(Counters which) {
    String text =
        switch (which) {
          case WITH_POWER ->
              "DCGM_FI_DEV_GPU_UTIL, gauge, util\nDCGM_FI_DEV_POWER_USAGE, gauge, power\n";
          case WITHOUT_POWER -> "DCGM_FI_DEV_GPU_UTIL, gauge, util\n";
          case BROKEN -> "DCGM_FI_DEV_GPU_UTIL, gaudy, util\n";
        };
    try {
      var written = Files.writeString(counters.resolveSibling("next.csv"), text);
      Files.move(written, counters, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tellPods(World world) {
    switch (world.kubelet()) {
      case ANSWERS -> kubelet.run(pods(world));
      case REFUSES -> kubelet.refuse(Status.UNAVAILABLE);
      case HANGS -> kubelet.hang();
      case GONE -> {}
    }
  }

  private static PodResources[] pods(World world) {
    Map<String, List<String>> devices = new TreeMap<>();
    for (int gpu = 0; gpu < GPUS; gpu++) {
      var pods = new TreeSet<>(world.gpus().get(gpu).pods());
      int share = 0;
      for (String pod : pods) {
        String id = uuid(gpu) + (pods.size() == 1 ? "" : "::" + share++);
        devices.computeIfAbsent(pod, _ -> new ArrayList<>()).add(id);
      }
    }
    return devices.entrySet().stream()
        .map(pod -> FakeKubelet.pod("ml", pod.getKey(), pod.getValue().toArray(new String[0])))
        .toArray(PodResources[]::new);
  }

  static String uuid(int gpu) {
    return "GPU-00000000-1111-2222-3333-00000000000" + gpu;
  }
}
