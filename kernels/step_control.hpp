#pragma once
namespace galerna::kernels { inline double next_step_factor(double,double,int){return 1;} }
