package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.util.List;

/** Receives the events of every pod of the simulated cluster, in the order in which they happen. */
public interface PodListener {

  /** Receives nothing. */
  PodListener NONE =
      new PodListener() {
        @Override
        public void onCreated(PodRef pod, PodSpec spec) {}

        @Override
        public void onBound(PodRef pod, PodSpec spec, List<GpuUuid> devices) {}

        @Override
        public void onTerminating(PodRef pod, PodSpec spec) {}

        @Override
        public void onGone(PodRef pod, PodSpec spec) {}
      };

  /** The pod exists and is pending. */
  void onCreated(PodRef pod, PodSpec spec);

  /** The pod runs, with these GPUs. */
  void onBound(PodRef pod, PodSpec spec, List<GpuUuid> devices);

  /** The grace period of a pod on a node begins; it holds its GPUs until it is gone. */
  void onTerminating(PodRef pod, PodSpec spec);

  /** The pod no longer exists, and its GPUs are free. */
  void onGone(PodRef pod, PodSpec spec);
}
