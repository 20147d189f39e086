package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_NVLINK_DEVICE_TYPE_GPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_NVLINK_DEVICE_TYPE_SWITCH;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_LINK_COUNT;

import io.gpureclaimer.nvml.NvLink.Down;
import io.gpureclaimer.nvml.NvLink.ToGpu;
import io.gpureclaimer.nvml.NvLink.ToOther;
import io.gpureclaimer.nvml.NvLink.ToSwitch;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Links between GPUs in one session; see {@link Nvml}. */
public final class Links {
  /** {@code NVML_NVLINK_MAX_LINKS} of the newest header; an older library refuses the last. */
  private static final int MOST_LINKS = 36;

  private static final FieldQuery COUNT =
      new FieldQuery(List.of(FieldQuery.Field.of(NVML_FI_DEV_NVLINK_LINK_COUNT)));

  private final Driver driver;

  Links(Driver driver) {
    this.driver = driver;
  }

  /**
   * Reads the PCIe path from one GPU to another.
   *
   * <p><b>Unit:</b> the levels of {@code nvmlGpuTopologyLevel_t}; the longer the way, the greater.
   * <b>Source:</b> {@code nvmlDeviceGetTopologyCommonAncestor}.
   *
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<Integer> commonAncestor(GpuHandle gpu, GpuHandle peer) {
    return driver.ask(PeerQueries.commonAncestor(peer.device()), gpu);
  }

  /**
   * Reads where each NVLink of a GPU leads.
   *
   * <p><b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetNvLinkState}, {@code
   * nvmlDeviceGetNvLinkRemoteDeviceType} and {@code nvmlDeviceGetNvLinkRemotePciInfo_v2}: at most
   * three calls for each of 36 links.
   *
   * @return one for each link that the board has; an empty list for a board without any
   * @throws NvmlException if the session is not open
   */
  public NvmlResult<List<NvLink>> nvlinks(GpuHandle gpu) {
    List<NvLink> links = new ArrayList<>();
    for (int number = 0; number < MOST_LINKS; number++) {
      int link = number;
      var leads = driver.ask(PeerQueries.linkIsUp(link), gpu).then(up -> end(gpu, link, up));
      switch (leads) {
        case Value<NvLink>(var found) -> links.add(found);
        case Unsupported<NvLink> _ -> {}
        case Failed<NvLink> failed -> {
          return failed.of();
        }
      }
    }
    return new Value<>(List.copyOf(links));
  }

  /**
   * Reads which NVLinks of a GPU are up.
   *
   * <p><b>Meaning:</b> now. <b>Source:</b> {@code nvmlDeviceGetNvLinkState}: one call for each link
   * that field 91 counts, or for each of 36 where the library does not count them.
   *
   * @return whether it is up, by the link's number, or that the question failed; a link that the
   *     board does not have is left out, and so are all where they are not counted and each is said
   *     to be down: some libraries say so of boards without any
   * @throws NvmlException if the session is not open
   */
  public SortedMap<Integer, NvmlResult<Boolean>> states(GpuHandle gpu) {
    OptionalInt count = count(gpu);
    var states = states(gpu, count.orElse(MOST_LINKS));
    boolean allDown = states.values().stream().allMatch(new Value<>(false)::equals);
    return count.isEmpty() && allDown ? new TreeMap<>() : states;
  }

  private OptionalInt count(GpuHandle gpu) {
    var answer = gpu.fields(COUNT).ask(driver, gpu.device()).then(List::getFirst);
    return answer instanceof Value<FieldValue>(var count)
        ? OptionalInt.of(Math.clamp(count.whole(), 0, MOST_LINKS))
        : OptionalInt.empty();
  }

  private SortedMap<Integer, NvmlResult<Boolean>> states(GpuHandle gpu, int most) {
    var states = new TreeMap<Integer, NvmlResult<Boolean>>();
    for (int link = 0; link < most; link++) {
      NvmlResult<Boolean> up = driver.ask(PeerQueries.linkIsUp(link), gpu);
      if (!(up instanceof Unsupported<Boolean>)) {
        states.put(link, up);
      }
    }
    return states;
  }

  /** A link whose other end the library does not report is up all the same. */
  private NvmlResult<NvLink> end(GpuHandle gpu, int link, boolean up) {
    if (!up) {
      return new Value<>(new Down());
    }
    NvmlResult<Integer> type = driver.ask(PeerQueries.remoteType(link), gpu);
    NvmlResult<NvLink> end =
        type instanceof Unsupported<Integer>
            ? toGpu(gpu, link)
            : type.then(known -> endOf(gpu, link, known));
    return end instanceof Unsupported<NvLink> ? new Value<>(new ToOther()) : end;
  }

  private NvmlResult<NvLink> endOf(GpuHandle gpu, int link, int type) {
    return switch (type) {
      case NVML_NVLINK_DEVICE_TYPE_SWITCH -> new Value<>(new ToSwitch());
      case NVML_NVLINK_DEVICE_TYPE_GPU -> toGpu(gpu, link);
      default -> new Value<>(new ToOther());
    };
  }

  /** Of older drivers what is at the other end has a place on the bus, but no type. */
  private NvmlResult<NvLink> toGpu(GpuHandle gpu, int link) {
    return driver.ask(PeerQueries.remoteBusId(link), gpu).map(ToGpu::new);
  }
}
