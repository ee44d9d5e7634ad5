#!/bin/bash
nvidia-smi --query-gpu=timestamp,index,utilization.gpu,power.draw --format=csv -l 1
