package io.gpureclaimer.deviceplugin.labels;

/** A place where the labels of this node are made known. */
public interface LabelSink {

  /** What it is, for people: {@code the Node gpu-node-1}. */
  String target();

  /**
   * Makes exactly these labels known, and takes back those of ours that are not among them. Writes
   * nothing where they are known already, by whichever run of the program.
   */
  Published publish(NodeLabels labels);
}
